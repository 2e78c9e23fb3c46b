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
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final Set<String> RESOURCES = Set.of("cpu", "memory", "ephemeral-storage");

    private final Faults faults;
    private final Set<String> volumes;
    private final boolean hostNetwork;

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
        checkEnv(at + ".env", container.path("env"));
        checkMounts(at + ".volumeMounts", container.path("volumeMounts"));
        faults.oneOf(at + ".imagePullPolicy", container.path("imagePullPolicy"), PULL_POLICIES);
        faults.oneOf(at + ".terminationMessagePolicy", container.path("terminationMessagePolicy"), MESSAGE_POLICIES);
        checkResources(at + ".resources", container.path("resources"));
        for (String probe : PROBES) {
            if (container.has(probe)) {
                checkProbe(at + "." + probe, container.path(probe), !probe.equals("readinessProbe"));
            }
        }
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
            if (hostNetwork && hostPort != port.path("containerPort").asLong()) {
                faults.invalid(
                        at + ".hostPort",
                        port.path("hostPort"),
                        "must match `containerPort` when `hostNetwork` is true");
            }
        }
    }

    private void checkEnv(String path, JsonNode env) {
        int i = 0;
        for (ObjectNode variable : Trees.objects(env)) {
            String at = path + "[" + i++ + "]";
            JsonNode name = variable.path("name");
            if (faults.present(at + ".name", name) && !isVariableName(name.asText())) {
                faults.invalid(
                        at + ".name",
                        name,
                        "a valid environment variable name must consist only of printable ASCII characters other than '='");
            }
            if (variable.has("valueFrom")) {
                checkValueFrom(at + ".valueFrom", variable);
            }
        }
    }

    private static boolean isVariableName(String name) {
        return name.chars().allMatch(c -> c >= ' ' && c < 0x7f && c != '=');
    }

    private void checkValueFrom(String at, ObjectNode variable) {
        JsonNode source = variable.path("valueFrom");
        if (source.isEmpty()) {
            faults.invalid(
                    at,
                    "",
                    "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`");
        } else if (!Trees.text(variable, "value").isEmpty()) {
            faults.invalid(at, "", "may not be specified when `value` is not empty");
        } else if (source.size() > 1) {
            faults.invalid(at, "", "may not have more than one field specified at a time");
        }
        for (String reference : List.of("configMapKeyRef", "secretKeyRef")) {
            if (source.has(reference)) {
                faults.present(
                        at + "." + reference + ".name", source.path(reference).path("name"));
                faults.presentByRule(
                        at + "." + reference + ".key", source.path(reference).path("key"), Names::configKey);
            }
        }
        if (source.has("fieldRef")) {
            faults.present(at + ".fieldRef.fieldPath", Trees.at(source, "fieldRef", "fieldPath"));
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

    private void checkProbe(String at, JsonNode probe, boolean oneSuccess) {
        long handlers = HANDLERS.stream().filter(probe::has).count();
        if (handlers == 0) {
            faults.required(at, "must specify a handler type");
        } else if (handlers > 1) {
            faults.forbidden(at, "may not specify more than 1 handler type");
        }
        for (String number : List.of(
                "initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")) {
            faults.notNegative(at + "." + number, probe.path(number));
        }
        if (probe.has("httpGet")) {
            faults.portOrName(at + ".httpGet.port", Trees.at(probe, "httpGet", "port"));
        }
        if (probe.has("tcpSocket")) {
            faults.portOrName(at + ".tcpSocket.port", Trees.at(probe, "tcpSocket", "port"));
        }
        if (oneSuccess && probe.path("successThreshold").asInt(1) != 1) {
            faults.invalid(at + ".successThreshold", probe.path("successThreshold"), "must be 1");
        }
    }
}
