package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with references to the fields of a pod, and to the resources of its containers. Stateless. */
final class FieldReferences {
    /** The fields whose values variables can have. */
    static final List<String> IN_VARIABLES = List.of(
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.serviceAccountName",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    /** The fields that files can show. */
    private static final List<String> IN_FILES =
            List.of("metadata.name", "metadata.namespace", "metadata.labels", "metadata.annotations", "metadata.uid");

    /** All fields that can be referred to, somewhere. */
    private static final Set<String> KNOWN = Set.of(
            "metadata.annotations",
            "metadata.labels",
            "metadata.name",
            "metadata.namespace",
            "metadata.uid",
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.serviceAccountName",
            "spec.schedulerName",
            "status.phase",
            "status.hostIP",
            "status.hostIPs",
            "status.podIP",
            "status.podIPs");

    private static final List<String> RESOURCES = List.of(
            "limits.cpu",
            "limits.ephemeral-storage",
            "limits.memory",
            "requests.cpu",
            "requests.ephemeral-storage",
            "requests.memory");

    /** Labels and annotations are named with their key, such as {@code metadata.labels['app']}. */
    private static final Pattern KEYED_FIELD = Pattern.compile("metadata\\.(labels|annotations)\\['([^']*)'\\]");

    private FieldReferences() {}

    /** A file of a volume, which shows a field or a resource. */
    static void checkFile(Faults faults, String at, ObjectNode item) {
        boolean field = item.has("fieldRef");
        boolean resource = item.has("resourceFieldRef");
        if (field) {
            checkField(faults, at + ".fieldRef", item.path("fieldRef"), IN_FILES);
            if (resource) {
                faults.invalid(at, "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
            }
        } else if (resource) {
            checkResource(faults, at + ".resourceFieldRef", item.path("resourceFieldRef"), true);
        } else {
            faults.required(at, "one of fieldRef and resourceFieldRef is required");
        }
    }

    static void checkField(Faults faults, String at, JsonNode reference, List<String> supported) {
        String field = at + ".fieldPath";
        JsonNode path = reference.path("fieldPath");
        if (!faults.present(field, path)) {
            return;
        }
        var keyed = KEYED_FIELD.matcher(path.asText());
        if (keyed.matches()) {
            faults.rule(field, keyed.group(2), Names::labelKey);
        } else if (!KNOWN.contains(path.asText())) {
            faults.invalid(field, path, "error converting fieldPath: field label not supported: " + path.asText());
        } else {
            faults.oneOf(field, path, supported);
        }
    }

    /** @param ofVolume whether the container is to be named */
    static void checkResource(Faults faults, String at, JsonNode reference, boolean ofVolume) {
        if (ofVolume && Trees.text(reference, "containerName").isEmpty()) {
            faults.required(at + ".containerName", "");
            return;
        }
        JsonNode resource = reference.path("resource");
        if (faults.present(at + ".resource", resource) && !isHugePages(resource.asText())) {
            faults.oneOf(at + ".resource", resource, RESOURCES);
        }
    }

    private static boolean isHugePages(String resource) {
        return resource.startsWith("limits.hugepages-") || resource.startsWith("requests.hugepages-");
    }
}
