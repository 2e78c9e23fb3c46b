package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with the less common fields of a pod spec, and with what contradicts each other. Stateless. */
final class PodFieldRules {
    private static final List<String> SYSTEMS = List.of("linux", "windows");

    /** What Windows has not. */
    private static final List<String> NOT_ON_WINDOWS =
            List.of("hostPID", "hostIPC", "hostUsers", "shareProcessNamespace");

    /** What Windows has not of a security context, and what its pods and containers share. */
    private static final List<String> NOT_IN_WINDOWS_CONTEXTS = List.of(
            "appArmorProfile",
            "seLinuxOptions",
            "seccompProfile",
            "fsGroup",
            "fsGroupChangePolicy",
            "sysctls",
            "capabilities",
            "readOnlyRootFilesystem",
            "privileged",
            "allowPrivilegeEscalation",
            "procMount",
            "runAsUser",
            "runAsGroup",
            "supplementalGroups");

    private PodFieldRules() {}

    static void check(Faults faults, String path, JsonNode spec) {
        checkGates(faults, path, spec);
        checkSystem(faults, path, spec);
        checkHost(faults, path, spec);
        checkClaims(faults, path + ".resourceClaims", spec.path("resourceClaims"));
    }

    private static void checkGates(Faults faults, String path, JsonNode spec) {
        Set<String> seen = new HashSet<>();
        int i = 0;
        for (ObjectNode gate : Trees.objects(spec.path("schedulingGates"))) {
            String at = path + ".schedulingGates[" + i++ + "]";
            String name = Trees.text(gate, "name");
            faults.rule(at, name, Names::labelKey);
            if (!seen.add(name)) {
                faults.duplicate(at, name);
            }
        }
        if (!seen.isEmpty() && !Trees.text(spec, "nodeName").isEmpty()) {
            faults.forbidden(path + ".nodeName", "cannot be set until all schedulingGates have been cleared");
        }
        int j = 0;
        for (ObjectNode gate : Trees.objects(spec.path("readinessGates"))) {
            String at = path + ".readinessGates[" + j++ + "].conditionType";
            faults.rule(at, Trees.text(gate, "conditionType"), Names::labelKey);
        }
    }

    private static void checkSystem(Faults faults, String path, JsonNode spec) {
        if (!spec.has("os")) {
            return;
        }
        JsonNode name = Trees.at(spec, "os", "name");
        faults.oneOf(path + ".os.name", name, SYSTEMS);
        switch (name.asText()) {
            case "windows" -> checkWindows(faults, path, spec);
            case "linux" -> {
                String of = ".securityContext.windowsOptions";
                checkLinux(faults, path + of, spec);
                forEachContainer(path, spec, (at, container) -> checkLinux(faults, at + of, container));
            }
            default -> {}
        }
    }

    private static void checkLinux(Faults faults, String field, JsonNode holder) {
        if (Trees.at(holder, "securityContext").has("windowsOptions")) {
            faults.forbidden(field, "windows options cannot be set for a linux pod");
        }
    }

    private static void checkWindows(Faults faults, String path, JsonNode spec) {
        for (String field : NOT_ON_WINDOWS) {
            if (spec.path(field).asBoolean() || (field.equals("hostUsers") && spec.has(field))) {
                faults.forbidden(path + "." + field, "cannot be set for a windows pod");
            }
        }
        checkWindowsContext(faults, path, spec);
        forEachContainer(path, spec, (at, container) -> checkWindowsContext(faults, at, container));
    }

    private static void checkWindowsContext(Faults faults, String at, JsonNode holder) {
        JsonNode context = holder.path("securityContext");
        NOT_IN_WINDOWS_CONTEXTS.stream()
                .filter(context::has)
                .forEach(
                        field -> faults.forbidden(at + ".securityContext." + field, "cannot be set for a windows pod"));
    }

    private interface ContainerVisitor {
        void visit(String at, ObjectNode container);
    }

    private static void forEachContainer(String path, JsonNode spec, ContainerVisitor visitor) {
        for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
            int i = 0;
            for (ObjectNode container : Trees.objects(spec.path(list))) {
                visitor.visit(path + "." + list + "[" + i++ + "]", container);
            }
        }
    }

    private static void checkHost(Faults faults, String path, JsonNode spec) {
        if (spec.path("shareProcessNamespace").asBoolean()
                && spec.path("hostPID").asBoolean()) {
            faults.invalid(
                    path + ".shareProcessNamespace", true, "ShareProcessNamespace and HostPID cannot both be enabled");
        }
        if (spec.path("hostUsers").asBoolean(true)) {
            return;
        }
        for (String field : List.of("hostPID", "hostIPC", "hostNetwork")) {
            if (spec.path(field).asBoolean()) {
                faults.forbidden(path + "." + field, "when `hostUsers` is false");
            }
        }
    }

    private static void checkClaims(Faults faults, String path, JsonNode claims) {
        Set<String> names = new HashSet<>();
        int i = 0;
        for (ObjectNode claim : Trees.objects(claims)) {
            String at = path + "[" + i++ + "]";
            String name = Trees.text(claim, "name");
            faults.presentByRule(at + ".name", claim.path("name"), Names::label);
            if (!name.isEmpty() && !names.add(name)) {
                faults.duplicate(at + ".name", name);
            }
            boolean named = claim.has("resourceClaimName");
            boolean made = claim.has("resourceClaimTemplateName");
            if (named && made) {
                faults.invalid(
                        at,
                        claim,
                        "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
            } else if (!named && !made) {
                faults.invalid(at, claim, "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
            }
        }
    }
}
