package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with a pod's containers. One instance a pod spec. */
final class ContainerRules {
    private static final List<String> PULL_POLICIES = List.of("Always", "IfNotPresent", "Never");
    private static final List<String> PROTOCOLS = List.of("TCP", "UDP", "SCTP");
    private static final List<String> MESSAGE_POLICIES = List.of("File", "FallbackToLogsOnError");

    private final Faults faults;
    private final Set<String> volumes;
    private final Set<String> claims = new HashSet<>();
    private final JsonNode spec;
    private final boolean hostNetwork;

    /** The ports of the node that the containers before have taken. */
    private final Set<String> hostPorts = new HashSet<>();

    /** @param volumes the names of what can be mounted */
    ContainerRules(Faults faults, Set<String> volumes, JsonNode spec) {
        this.faults = faults;
        this.volumes = volumes;
        this.spec = spec;
        this.hostNetwork = spec.path("hostNetwork").asBoolean();
        Trees.objects(spec.path("resourceClaims")).forEach(claim -> claims.add(Trees.text(claim, "name")));
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
        checkDevices(at + ".volumeDevices", container);
        ContainerResources.check(faults, at + ".resources", container.path("resources"), claims);
        ContainerResources.checkPolicies(faults, at + ".resizePolicy", container.path("resizePolicy"));
        HandlerRules.check(faults, at, container, spec.path("terminationGracePeriodSeconds"));
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

    /** Volumes that a container uses as a device, and not by their files. */
    private void checkDevices(String path, ObjectNode container) {
        Set<String> names = new HashSet<>();
        Set<String> paths = new HashSet<>();
        List<ObjectNode> mounts = Trees.objects(container.path("volumeMounts"));
        int i = 0;
        for (ObjectNode device : Trees.objects(container.path("volumeDevices"))) {
            String at = path + "[" + i++ + "]";
            JsonNode name = device.path("name");
            if (faults.present(at + ".name", name)) {
                checkDeviceName(at + ".name", name, names);
                if (mounts.stream().anyMatch(mount -> mount.path("name").equals(name))) {
                    faults.invalid(at + ".name", name, "must not already exist in volumeMounts");
                }
            }
            JsonNode devicePath = device.path("devicePath");
            if (faults.present(at + ".devicePath", devicePath)) {
                if (!paths.add(devicePath.asText())) {
                    faults.invalid(at + ".devicePath", devicePath, "must be unique");
                }
                if (List.of(devicePath.asText().split("/", -1)).contains("..")) {
                    faults.invalid(at + ".devicePath", devicePath, "can not contain backsteps ('..')");
                }
                if (mounts.stream().anyMatch(mount -> mount.path("mountPath").equals(devicePath))) {
                    faults.invalid(at + ".devicePath", devicePath, "must not already exist as a path in volumeMounts");
                }
            }
        }
    }

    private void checkDeviceName(String field, JsonNode name, Set<String> names) {
        if (!volumes.contains(name.asText())) {
            faults.notFound(field, name);
        } else if (!names.add(name.asText())) {
            faults.invalid(field, name, "must be unique");
        } else {
            boolean files = Trees.objects(spec.path("volumes")).stream()
                    .anyMatch(volume -> volume.path("name").equals(name)
                            && !volume.has("persistentVolumeClaim")
                            && !volume.has("ephemeral"));
            if (files) {
                faults.invalid(
                        field,
                        name,
                        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
            }
        }
    }
}
