package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.fields.VolumeSources;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The volumes of a pod spec: their defaults and rules. */
final class Volumes {
    /** Permissions of the files in a volume: 0644. */
    private static final int FILE_MODE = 0644;

    private static final int TOKEN_SECONDS = 3600;
    private static final int LEAST_TOKEN_SECONDS = 600;
    private static final List<String> FILES = List.of("configMap", "secret", "downwardAPI", "projected");

    /** Fields that sources cannot do without which only pods have. */
    private static final Map<String, List<String>> REQUIRED = Map.of(
            "secret", List.of("secretName"),
            "configMap", List.of("name"),
            "persistentVolumeClaim", List.of("claimName"),
            "ephemeral", List.of("volumeClaimTemplate"));

    private Volumes() {}

    static void defaults(ObjectNode volume) {
        if (volume.size() == 1 && volume.has("name")) {
            volume.putObject("emptyDir");
        }
        for (String files : FILES) {
            if (volume.path(files) instanceof ObjectNode source) {
                Trees.fill(source, "defaultMode", FILE_MODE);
                fillItems(source);
            }
        }
        VolumeSources.fill(volume);
        if (volume.path("image") instanceof ObjectNode source) {
            Trees.fill(source, "pullPolicy", ContainerDefaults.pullPolicy(Trees.text(source, "reference")));
        }
        if (volume.path("emptyDir") instanceof ObjectNode source) {
            Quantities.canonicalize(source, "sizeLimit");
        }
        if (Trees.at(volume, "ephemeral", "volumeClaimTemplate", "spec") instanceof ObjectNode claim) {
            Trees.fill(claim, "volumeMode", "Filesystem");
            Quantities.canonicalize(Trees.at(claim, "resources", "requests"));
        }
        for (ObjectNode source : Trees.objects(Trees.at(volume, "projected", "sources"))) {
            if (source.path("serviceAccountToken") instanceof ObjectNode token) {
                Trees.fill(token, "expirationSeconds", TOKEN_SECONDS);
            }
            if (source.path("downwardAPI") instanceof ObjectNode downward) {
                fillItems(downward);
            }
        }
    }

    private static void fillItems(ObjectNode source) {
        for (ObjectNode item : Trees.objects(source.path("items"))) {
            if (item.path("fieldRef") instanceof ObjectNode fieldRef) {
                Trees.fill(fieldRef, "apiVersion", "v1");
            }
            if (item.path("resourceFieldRef") instanceof ObjectNode reference) {
                ContainerDefaults.fillDivisor(reference);
            }
        }
    }

    static void check(Faults faults, String path, JsonNode volumes) {
        Set<String> names = new HashSet<>();
        int i = 0;
        for (ObjectNode volume : Trees.objects(volumes)) {
            String at = path + "[" + i++ + "]";
            checkSource(faults, at, volume);
            JsonNode name = volume.path("name");
            faults.presentByRule(at + ".name", name, Names::label);
            if (!name.asText().isEmpty() && !names.add(name.asText())) {
                faults.duplicate(at + ".name", name);
            }
        }
    }

    private static void checkSource(Faults faults, String at, ObjectNode volume) {
        boolean seen = false;
        for (var source : volume.properties()) {
            String type = source.getKey();
            if (type.equals("name")) {
                continue;
            }
            if (seen) {
                faults.forbidden(at + "." + type, "may not specify more than 1 volume type");
            }
            seen = true;
            for (String field : REQUIRED.getOrDefault(type, List.of())) {
                faults.present(at + "." + type + "." + field, source.getValue().path(field));
            }
            checkContent(faults, at + "." + type, type, source.getValue());
        }
        if (!seen) {
            faults.required(at, "must specify a volume type");
        }
    }

    private static void checkContent(Faults faults, String at, String type, JsonNode source) {
        switch (type) {
            case "configMap", "secret" -> VolumeItems.check(faults, at, source, true);
            case "downwardAPI" -> VolumeItems.check(faults, at, source, false);
            case "projected" -> checkProjected(faults, at, source);
            case "emptyDir" -> {
                if (Quantities.valueOrZero(source.path("sizeLimit")).signum() < 0) {
                    faults.forbidden(at + ".sizeLimit", "SizeLimit field must be a valid resource quantity");
                }
            }
            default -> VolumeSources.check(faults, at, type, source);
        }
    }

    private static void checkProjected(Faults faults, String at, JsonNode projected) {
        VolumeItems.checkMode(faults, at + ".defaultMode", projected.path("defaultMode"));
        int i = 0;
        for (ObjectNode source : Trees.objects(projected.path("sources"))) {
            String field = at + ".sources[" + i++ + "]";
            int given = 0;
            for (var one : source.properties()) {
                String of = field + "." + one.getKey();
                if (given++ > 0) {
                    faults.forbidden(of, "may not specify more than 1 volume type per source");
                }
                switch (one.getKey()) {
                    case "configMap", "secret" -> {
                        faults.present(of + ".name", one.getValue().path("name"));
                        VolumeItems.check(faults, of, one.getValue(), true);
                    }
                    case "downwardAPI" -> VolumeItems.check(faults, of, one.getValue(), false);
                    case "serviceAccountToken" -> {
                        faults.present(of + ".path", one.getValue().path("path"));
                        long seconds = one.getValue().path("expirationSeconds").asLong(TOKEN_SECONDS);
                        if (seconds < LEAST_TOKEN_SECONDS) {
                            faults.invalid(
                                    of + ".expirationSeconds",
                                    seconds,
                                    "may not specify a duration less than 10 minutes");
                        }
                    }
                    default -> {}
                }
            }
        }
    }
}
