package io.keelson.resources.networking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Hosts;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.TreeSet;

/** Ingresses: which hosts and paths lead to which services. */
public final class Ingresses {
    private static final String CLASS_ANNOTATION = "kubernetes.io/ingress.class";
    private static final List<String> PATH_TYPES = List.of("Exact", "ImplementationSpecific", "Prefix");
    private static final List<String> BAD_PARTS = List.of("//", "/./", "/../", "%2f", "%2F");
    private static final List<String> BAD_ENDS = List.of("/..", "/.");

    /** How many characters of the addresses a table cell shows. */
    private static final int ADDRESS_WIDTH = 16;

    private Ingresses() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("networking.k8s.io", "v1", "Ingress", "ingresses")
                .shortNames("ing")
                .strategy(KindStrategy.of(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION)
                        .initialStatus(status -> status.putObject("loadBalancer"))
                        .warnNew(Ingresses::warnings)
                        .checkNew(Ingresses::checkNew)
                        .check(Ingresses::check)
                        .build())
                .defaults(Defaults.of(ingress -> Trees.child(ingress, "spec")))
                .columns(
                        Column.of(
                                "Class",
                                "string",
                                "The class of controllers that serve it.",
                                (ingress, now) -> Cells.orNone(Trees.text(ingress, "spec", "ingressClassName"))),
                        Column.of("Hosts", "string", "The hosts that it is for.", (ingress, now) -> hosts(ingress)),
                        Column.of("Address", "string", "Where it is served.", (ingress, now) -> address(ingress)),
                        Column.of("Ports", "string", "The ports of its hosts.", (ingress, now) -> ports(ingress)),
                        Column.AGE)
                .build();
    }

    private static String hosts(ObjectNode ingress) {
        List<ObjectNode> rules = Trees.objects(Trees.at(ingress, "spec", "rules"));
        List<String> hosts = rules.stream()
                .map(rule -> Trees.text(rule, "host"))
                .filter(host -> !host.isEmpty())
                .toList();
        return hosts.isEmpty() ? "*" : Cells.some(hosts, rules.size());
    }

    private static String address(ObjectNode ingress) {
        var addresses = new TreeSet<String>();
        for (ObjectNode point : Trees.objects(Trees.at(ingress, "status", "loadBalancer", "ingress"))) {
            String ip = Trees.text(point, "ip");
            String known = ip.isEmpty() ? Trees.text(point, "hostname") : ip;
            if (!known.isEmpty()) {
                addresses.add(known);
            }
        }
        String all = String.join(",", addresses);
        return all.length() > ADDRESS_WIDTH ? all.substring(0, ADDRESS_WIDTH - 3) + "..." : all;
    }

    private static String ports(ObjectNode ingress) {
        return Trees.at(ingress, "spec", "tls").isEmpty() ? "80" : "80, 443";
    }

    private static List<String> warnings(ObjectNode ingress) {
        return Trees.has(Trees.at(ingress, "metadata", "annotations"), CLASS_ANNOTATION)
                ? List.of("annotation \"" + CLASS_ANNOTATION
                        + "\" is deprecated, please use 'spec.ingressClassName' instead")
                : List.of();
    }

    private static void checkNew(Faults faults, ObjectNode ingress) {
        String annotation = Trees.text(ingress, "metadata", "annotations", CLASS_ANNOTATION);
        if (!annotation.isEmpty() && Trees.has(ingress.path("spec"), "ingressClassName")) {
            faults.invalid(
                    "metadata.annotations[" + CLASS_ANNOTATION + "]",
                    annotation,
                    "can not be set when the class field is also set");
        }
    }

    private static void check(Faults faults, ObjectNode ingress) {
        JsonNode spec = ingress.path("spec");
        if (spec.path("rules").isEmpty() && !Trees.has(spec, "defaultBackend")) {
            faults.invalid("spec", spec, "either `defaultBackend` or `rules` must be specified");
        }
        if (Trees.has(spec, "defaultBackend")) {
            checkBackend(faults, "spec.defaultBackend", spec.path("defaultBackend"));
        }
        int i = 0;
        for (ObjectNode rule : Trees.objects(spec.path("rules"))) {
            checkRule(faults, "spec.rules[" + i++ + "]", rule);
        }
        i = 0;
        for (ObjectNode tls : Trees.objects(spec.path("tls"))) {
            checkTls(faults, "spec.tls[" + i++ + "]", tls);
        }
        if (Trees.has(spec, "ingressClassName")) {
            faults.rule("spec.ingressClassName", Trees.text(spec, "ingressClassName"), Names::subdomain);
        }
    }

    private static void checkRule(Faults faults, String at, ObjectNode rule) {
        Hosts.check(faults, at + ".host", Trees.text(rule, "host"));
        if (!Trees.has(rule, "http")) {
            return;
        }
        if (rule.path("http").path("paths").isEmpty()) {
            faults.required(at + ".http.paths", "");
        }
        int i = 0;
        for (ObjectNode path : Trees.objects(rule.path("http").path("paths"))) {
            checkPath(faults, at + ".http.paths[" + i++ + "]", path);
        }
    }

    private static void checkPath(Faults faults, String at, ObjectNode path) {
        String type = Trees.text(path, "pathType");
        String text = Trees.text(path, "path");
        if (type.isEmpty()) {
            faults.required(at + ".pathType", "pathType must be specified");
        } else if (type.equals("ImplementationSpecific")) {
            if (!text.isEmpty() && !text.startsWith("/")) {
                faults.invalid(at + ".path", text, "must be an absolute path");
            }
        } else if (PATH_TYPES.contains(type)) {
            checkPathText(faults, at + ".path", text);
        } else {
            faults.oneOf(at + ".pathType", path.path("pathType"), PATH_TYPES);
        }
        checkBackend(faults, at + ".backend", path.path("backend"));
    }

    private static void checkPathText(Faults faults, String at, String path) {
        if (!path.startsWith("/")) {
            faults.invalid(at, path, "must be an absolute path");
        }
        BAD_PARTS.stream()
                .filter(path::contains)
                .forEach(part -> faults.invalid(at, path, "must not contain '" + part + "'"));
        BAD_ENDS.stream()
                .filter(path::endsWith)
                .forEach(end -> faults.invalid(at, path, "cannot end with '" + end + "'"));
    }

    private static void checkBackend(Faults faults, String at, JsonNode backend) {
        JsonNode service = backend.path("service");
        boolean resource = Trees.has(backend, "resource");
        if (resource && service.isObject()) {
            faults.invalid(at, "", "cannot set both resource and service backends");
        } else if (resource) {
            faults.present(at + ".resource.kind", backend.path("resource").path("kind"));
            faults.present(at + ".resource.name", backend.path("resource").path("name"));
        } else if (!service.isObject()) {
            faults.invalid(at, "", "resource or service backend is required");
        } else {
            faults.presentByRule(at + ".service.name", service.path("name"), Names::label1035);
            checkPort(faults, at, service.path("port"));
        }
    }

    private static void checkPort(Faults faults, String at, JsonNode port) {
        String name = Trees.text(port, "name");
        boolean number = port.path("number").asLong() != 0;
        if (!name.isEmpty() && number) {
            faults.invalid(at, "", "cannot set both port name & port number");
        } else if (!name.isEmpty()) {
            faults.portName(at + ".service.port.name", name);
        } else if (number) {
            faults.port(at + ".service.port.number", port.path("number"));
        } else {
            faults.required(at, "port name or number is required");
        }
    }

    private static void checkTls(Faults faults, String at, ObjectNode tls) {
        int i = 0;
        for (String host : Trees.texts(tls.path("hosts"))) {
            Hosts.check(faults, at + ".hosts[" + i++ + "]", host);
        }
        if (!Trees.text(tls, "secretName").isEmpty()) {
            faults.rule(at + ".secretName", Trees.text(tls, "secretName"), Names::subdomain);
        }
    }
}
