package io.keelson.endpoints;

import io.keelson.api.WatchEvent;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.IncludeObject;
import io.keelson.endpoints.output.PartialMetadata;
import io.keelson.endpoints.output.TableEncoder;
import io.keelson.registry.ResourceDefinition;
import java.time.InstantSource;

/** Turns a watch's events into the bytes that its client asked for. One for each watch; not thread-safe. */
interface EventEncoder {
    byte[] encode(WatchEvent event);

    static EventEncoder of(ResourceDefinition definition, Answer answer, IncludeObject include, InstantSource clock) {
        EventFraming framing = answer.encoding() == Encoding.EVENT_STREAM
                ? EventFraming.serverSent(definition.kind())
                : EventFraming.jsonLine(definition.kind());
        return switch (answer.form()) {
            case PLAIN -> event -> event.frame(framing);
            case TABLE -> tables(framing, new TableEncoder(definition, answer.metaVersion(), include), clock);
            case PARTIAL_METADATA, PARTIAL_METADATA_LIST -> {
                var metadata = new PartialMetadata(answer.metaVersion());
                yield event -> framing.encode(event.type(), metadata.event(event));
            }
        };
    }

    private static EventEncoder tables(EventFraming framing, TableEncoder table, InstantSource clock) {
        return new EventEncoder() {
            private boolean first = true;

            @Override
            public byte[] encode(WatchEvent event) {
                byte[] frame = framing.encode(event.type(), table.event(event, clock.instant(), first));
                first = false;
                return frame;
            }
        };
    }
}
