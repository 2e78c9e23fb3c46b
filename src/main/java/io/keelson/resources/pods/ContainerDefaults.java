package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** What is filled in of a container. */
final class ContainerDefaults {
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");

    private ContainerDefaults() {}

    static void fill(ObjectNode container, boolean hostNetwork) {
        Trees.fill(container, "terminationMessagePath", "/dev/termination-log");
        Trees.fill(container, "terminationMessagePolicy", "File");
        Trees.fill(container, "imagePullPolicy", pullPolicy(Trees.text(container, "image")));
        ObjectNode resources = Trees.child(container, "resources");
        Quantities.canonicalize(resources.path("limits"));
        Quantities.canonicalize(resources.path("requests"));
        for (ObjectNode port : Trees.objects(container.path("ports"))) {
            Trees.fill(port, "protocol", "TCP");
            if (hostNetwork && port.path("hostPort").asInt() == 0 && Trees.has(port, "containerPort")) {
                port.set("hostPort", port.get("containerPort"));
            }
        }
        for (ObjectNode variable : Trees.objects(container.path("env"))) {
            fillSource(variable);
        }
        for (String probe : PROBES) {
            if (container.path(probe) instanceof ObjectNode object) {
                fillProbe(object);
            }
        }
        for (String moment : List.of("postStart", "preStop")) {
            fillHttpGet(Trees.at(container, "lifecycle", moment, "httpGet"));
        }
    }

    /** An image without a fixed tag may change under its name, so it is asked for anew each time. */
    static String pullPolicy(String image) {
        String name = image.substring(image.lastIndexOf('/') + 1);
        if (name.indexOf('@') >= 0) {
            return "IfNotPresent";
        }
        int colon = name.indexOf(':');
        return colon < 0 || name.substring(colon).equals(":latest") ? "Always" : "IfNotPresent";
    }

    private static void fillSource(ObjectNode variable) {
        if (Trees.at(variable, "valueFrom", "fieldRef") instanceof ObjectNode fieldRef) {
            Trees.fill(fieldRef, "apiVersion", "v1");
        }
        if (Trees.at(variable, "valueFrom", "resourceFieldRef") instanceof ObjectNode reference) {
            fillDivisor(reference);
        }
    }

    /** A reference to a resource counts in its divisor, 0 for the default of its resource. */
    static void fillDivisor(ObjectNode resourceFieldRef) {
        if (Trees.has(resourceFieldRef, "divisor")) {
            Quantities.canonicalize(resourceFieldRef, "divisor");
        } else {
            resourceFieldRef.put("divisor", "0");
        }
    }

    private static void fillProbe(ObjectNode probe) {
        Trees.fillZero(probe, "timeoutSeconds", 1);
        Trees.fillZero(probe, "periodSeconds", 10);
        Trees.fillZero(probe, "successThreshold", 1);
        Trees.fillZero(probe, "failureThreshold", 3);
        fillHttpGet(probe.path("httpGet"));
        if (probe.path("grpc") instanceof ObjectNode grpc) {
            Trees.fill(grpc, "service", "");
        }
    }

    private static void fillHttpGet(JsonNode node) {
        if (node instanceof ObjectNode httpGet) {
            Trees.fill(httpGet, "path", "/");
            Trees.fill(httpGet, "scheme", "HTTP");
        }
    }
}
