package io.keelson.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.emitter.Emitter;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;

/**
 * Writes one tree as block YAML. Strings that any reader could take for something else are double-quoted. One use per
 * tree.
 */
final class YamlWriter {
    private static final ImplicitTuple UNTAGGED = new ImplicitTuple(true, true);
    private static final DumpSettings SETTINGS =
            DumpSettings.builder().setSplitLines(false).build();

    private static final class Text implements StreamDataWriter {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void write(String part) {
            text.append(part);
        }

        @Override
        public void write(String part, int from, int length) {
            text.append(part, from, from + length);
        }
    }

    private final Text out = new Text();
    private final Emitter emitter = new Emitter(SETTINGS, out);

    String write(JsonNode root) {
        emitter.emit(new StreamStartEvent());
        emitter.emit(new DocumentStartEvent(false, Optional.empty(), Map.of()));
        node(root);
        emitter.emit(new DocumentEndEvent(false));
        emitter.emit(new StreamEndEvent());
        return out.text.toString();
    }

    private void node(JsonNode node) {
        if (node.isObject()) {
            emitter.emit(new MappingStartEvent(Optional.empty(), Optional.empty(), true, style(node)));
            for (var field : node.properties()) {
                string(field.getKey());
                node(field.getValue());
            }
            emitter.emit(new MappingEndEvent());
        } else if (node.isArray()) {
            emitter.emit(new SequenceStartEvent(Optional.empty(), Optional.empty(), true, style(node)));
            node.forEach(this::node);
            emitter.emit(new SequenceEndEvent());
        } else if (node.isTextual()) {
            string(node.textValue());
        } else {
            scalar(node.asText(), ScalarStyle.PLAIN);
        }
    }

    private static FlowStyle style(JsonNode container) {
        return container.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
    }

    private void string(String text) {
        scalar(text, YamlScalars.safePlain(text) ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED);
    }

    private void scalar(String text, ScalarStyle style) {
        emitter.emit(new ScalarEvent(Optional.empty(), Optional.empty(), UNTAGGED, text, style));
    }
}
