package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Config maps: small files of settings. */
public final class ConfigMaps {
    private ConfigMaps() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "ConfigMap", "configmaps")
                .shortNames("cm")
                .strategy(new ConfigMapStrategy())
                .defaults(Defaults.NONE)
                .columns(
                        Column.of(
                                "Data",
                                "string",
                                "How many entries there are.",
                                (map, now) -> map.path("data").size()
                                        + map.path("binaryData").size()),
                        Column.AGE)
                .build();
    }

    private static final class ConfigMapStrategy extends BasicStrategy {
        ConfigMapStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode map) {
            var faults = new Faults();
            check(faults, map);
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode map, ObjectNode old) {
            var faults = new Faults();
            faults.keepsImmutable(map, old, "data", "binaryData");
            check(faults, map);
            return faults.list();
        }

        private static void check(Faults faults, ObjectNode map) {
            FileData.checkKeys(faults, "data", map.path("data"));
            FileData.checkKeys(faults, "binaryData", map.path("binaryData"));
            long bytes = FileData.decodedSize(map.path("binaryData"));
            for (var entry : map.path("data").properties()) {
                if (map.path("binaryData").has(entry.getKey())) {
                    String field = "data[" + entry.getKey() + "]";
                    faults.invalid(field, entry.getKey(), "duplicate of key present in binaryData");
                }
                bytes += entry.getValue().asText().getBytes(StandardCharsets.UTF_8).length;
            }
            if (bytes > FileData.MAX_BYTES) {
                faults.tooLong("", FileData.MAX_BYTES);
            }
        }
    }
}
