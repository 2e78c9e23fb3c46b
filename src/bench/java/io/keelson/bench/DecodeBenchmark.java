package io.keelson.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keelson.api.ApiObject;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What reading an object out of the store costs, beside parsing it into a tree. */
@State(Scope.Benchmark)
public class DecodeBenchmark {
    private final ObjectDecoder decoder = new ObjectDecoder(SelectableFields.NONE);
    private final ObjectMapper mapper = new ObjectMapper();
    private final byte[] stored = Samples.stored(1);

    @Benchmark
    public Object decode() {
        ApiObject object = decoder.decode(stored, 123_456);
        return object;
    }

    /** Jackson's tree. */
    @Benchmark
    public Object reference() throws IOException {
        return mapper.readTree(stored);
    }
}
