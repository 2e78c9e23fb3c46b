package io.keelson.endpoints.openapi;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** One message of protocol buffers, written field by field. Not thread-safe; of no use after {@link #bytes}. */
final class ProtoMessage {
    private static final int INITIAL_BYTES = 64;

    private final ByteString.Output sink = ByteString.newOutput(INITIAL_BYTES);
    private final CodedOutputStream out = CodedOutputStream.newInstance(sink, INITIAL_BYTES);

    ProtoMessage text(int field, String value) {
        try {
            out.writeString(field, value);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ProtoMessage truth(int field, boolean value) {
        try {
            out.writeBool(field, value);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ProtoMessage message(int field, ProtoMessage value) {
        try {
            out.writeBytes(field, value.bytes());
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ByteString bytes() {
        try {
            out.flush();
            return sink.toByteString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
