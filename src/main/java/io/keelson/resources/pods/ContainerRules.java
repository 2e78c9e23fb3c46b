package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with a pod's containers. One instance a pod spec. */
final class ContainerRules {
    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
    private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");
    private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");
    private static final Set<String> RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");

    private final Faults faults;
    private final Set<String> volumes;
    private final boolean hostNetwork;

    /** The ports of the node that the containers before have taken. */
    private final Set<String> hostPorts = new HashSet<>();

    ContainerRules(Faults faults, Set<String> volumes, boolean hostNetwork) {
        this.faults = faults;
        this.volumes = volumes;
        this.hostNetwork = hostNetwork;
    }

    /**
     * @param names of the containers before this one, which gains its name
     */
    void check(String at, ObjectNode container, Set<String> names) {
        checkName(at, container, names);
        JsonNode image = container.path("image");
        if (faults.present(at + ".image", image)
                && !image.asText().equals(image.asText().strip())) {
            faults.invalid(at + ".image", image, "must not have leading or trailing whitespace");
        }
        checkPorts(at + ".ports", container.path("ports"));
        EnvRules.check(faults, at, container);
        checkMounts(at + ".volumeMounts", container.path("volumeMounts"));
        faults.oneOf(at + ".imagePullPolicy", container.path("imagePullPolicy"), PULL_POLICIES);
        faults.oneOf(at + ".terminationMessagePolicy", container.path("terminationMessagePolicy"), MESSAGE_POLICIES);
        checkResources(at + ".resources", container.path("resources"));
        HandlerRules.check(faults, at, container);
        SecurityRules.checkContainer(faults, at + ".securityContext", container.path("securityContext"));
    }

    /** An init container ends before the pod is up, so only one that is kept running can be probed. */
    void checkInit(String at, ObjectNode container) {
        faults.oneOfIfSet(
                at + ".restartPolicy", container.path("restartPolicy"), List.of("Always", "Never", "OnFailure"));
        if (Trees.text(container, "restartPolicy").equals("Always")) {
            return;
        }
        for (String field : List.of("lifecycle", "livenessProbe", "readinessProbe", "startupProbe")) {
            if (container.has(field)) {
                faults.forbidden(at + "." + field, "may not be set for init containers without restartPolicy=Always");
            }
        }
    }

    private void checkName(String at, ObjectNode container, Set<String> names) {
        JsonNode name = container.path("name");
        faults.presentByRule(at + ".name", name, Names::label);
        if (!name.asText().isEmpty() && !names.add(name.asText())) {
            faults.duplicate(at + ".name", name);
        }
    }

    private void checkPorts(String path, JsonNode ports) {
        Set<String> names = new HashSet<>();
        int i = 0;
        for (ObjectNode port : Trees.objects(ports)) {
            String at = path + "[" + i++ + "]";
            String name = Trees.text(port, "name");
            if (!name.isEmpty()) {
                faults.portName(at + ".name", name);
                if (!names.add(name)) {
                    faults.duplicate(at + ".name", name);
                }
            }
            if (port.path("containerPort").asLong() == 0) {
                faults.required(at + ".containerPort", "");
            } else {
                faults.port(at + ".containerPort", port.path("containerPort"));
            }
            checkHostPort(at, port);
            faults.oneOf(at + ".protocol", port.path("protocol"), PROTOCOLS);
        }
    }

    private void checkHostPort(String at, ObjectNode port) {
        long hostPort = port.path("hostPort").asLong();
        if (hostPort != 0) {
            faults.port(at + ".hostPort", port.path("hostPort"));
            String taken = Trees.text(port, "protocol") + "/" + Trees.text(port, "hostIP") + "/" + hostPort;
            if (!hostPorts.add(taken)) {
                faults.duplicate(at + ".hostPort", taken);
            }
            if (hostNetwork && hostPort != port.path("containerPort").asLong()) {
                faults.invalid(
                        at + ".hostPort",
                        port.path("hostPort"),
                        "must match `containerPort` when `hostNetwork` is true");
            }
        }
    }

    private void checkMounts(String path, JsonNode mounts) {
        Set<String> mountPaths = new HashSet<>();
        int i = 0;
        for (ObjectNode mount : Trees.objects(mounts)) {
            String at = path + "[" + i++ + "]";
            JsonNode name = mount.path("name");
            if (faults.present(at + ".name", name) && !volumes.contains(name.asText())) {
                faults.notFound(at + ".name", name);
            }
            JsonNode mountPath = mount.path("mountPath");
            if (faults.present(at + ".mountPath", mountPath) && !mountPaths.add(mountPath.asText())) {
                faults.invalid(at + ".mountPath", mountPath, "must be unique");
            }
            checkSubPath(at + ".subPath", mount.path("subPath"));
            checkSubPath(at + ".subPathExpr", mount.path("subPathExpr"));
            if (!Trees.text(mount, "subPath").isEmpty()
                    && !Trees.text(mount, "subPathExpr").isEmpty()) {
                faults.invalid(
                        at + ".subPathExpr",
                        mount.path("subPathExpr"),
                        "subPathExpr and subPath are mutually exclusive");
            }
        }
    }

    private void checkSubPath(String field, JsonNode subPath) {
        if (subPath.asText().startsWith("/")) {
            faults.invalid(field, subPath, "must be a relative path");
        }
        if (List.of(subPath.asText().split("/", -1)).contains("..")) {
            faults.invalid(field, subPath, "must not contain '..'");
        }
    }

    private void checkResources(String at, JsonNode resources) {
        JsonNode limits = resources.path("limits");
        checkAmounts(at + ".limits", limits);
        checkAmounts(at + ".requests", resources.path("requests"));
        for (var request : resources.path("requests").properties()) {
            BigDecimal limit = Quantities.value(limits.path(request.getKey()));
            BigDecimal asked = Quantities.value(request.getValue());
            if (limit != null && asked != null && asked.compareTo(limit) > 0) {
                faults.invalid(
                        at + ".requests",
                        request.getValue(),
                        "must be less than or equal to " + request.getKey() + " limit of "
                                + limits.path(request.getKey()).asText());
            }
        }
    }

    private void checkAmounts(String path, JsonNode amounts) {
        for (var amount : amounts.properties()) {
            String name = amount.getKey();
            String at = path + "[" + name + "]";
            if (Quantities.valueOrZero(amount.getValue()).signum() < 0) {
                faults.invalid(at, amount.getValue(), "must be greater than or equal to 0");
            }
            if (name.indexOf('/') >= 0) {
                faults.rule(at, name, Names::labelKey);
            } else if (!RESOURCES.contains(name) && !name.startsWith("hugepages-")) {
                faults.invalid(at, name, "must be a standard resource for containers");
            }
        }
    }
}
