package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** What is wrong with the files that a volume is made of. Stateless. */
final class VolumeItems {
    /** All permissions that a file can have: 0777. */
    private static final int ALL_PERMISSIONS = 0777;

    private static final String WRONG_MODE = "must be a number between 0 and 0777 (octal), both inclusive";

    private VolumeItems() {}

    /** @param keyed whether items name entries of an object, and do not refer to fields */
    static void check(Faults faults, String at, JsonNode source, boolean keyed) {
        checkMode(faults, at + ".defaultMode", source.path("defaultMode"));
        int i = 0;
        for (ObjectNode item : Trees.objects(source.path("items"))) {
            String field = at + ".items[" + i++ + "]";
            if (keyed) {
                faults.present(field + ".key", item.path("key"));
            } else {
                FieldReferences.checkFile(faults, field, item);
            }
            if (faults.present(field + ".path", item.path("path"))) {
                checkPath(faults, field + ".path", Trees.text(item, "path"));
            }
            checkMode(faults, field + ".mode", item.path("mode"));
        }
    }

    static void checkMode(Faults faults, String field, JsonNode mode) {
        if (mode.isNumber() && (mode.asLong() < 0 || mode.asLong() > ALL_PERMISSIONS)) {
            faults.invalid(field, mode, WRONG_MODE);
        }
    }

    static void checkPath(Faults faults, String field, String path) {
        if (path.startsWith("/")) {
            faults.invalid(field, path, "must be a relative path");
        }
        checkNoBackSteps(faults, field, path);
    }

    static void checkNoBackSteps(Faults faults, String field, String path) {
        if (List.of(path.split("/", -1)).contains("..")) {
            faults.invalid(field, path, "must not contain '..'");
        }
    }
}
