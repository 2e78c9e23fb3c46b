package io.keelson.resources.core;

import static io.keelson.resources.fields.Cells.orNone;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Nodes: machines that run pods. */
public final class Nodes {
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final String ROLE_PREFIX = "node-role.kubernetes.io/";
    private static final String ROLE = "kubernetes.io/role";
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");
    private static final List<String> INFO = List.of(
            "machineID",
            "systemUUID",
            "bootID",
            "kernelVersion",
            "osImage",
            "containerRuntimeVersion",
            "kubeletVersion",
            "kubeProxyVersion",
            "operatingSystem",
            "architecture");

    private Nodes() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "Node", "nodes")
                .shortNames("no")
                .strategy(new NodeStrategy())
                .defaults(Defaults.of(Nodes::fill))
                .selectableFields(SelectableFields.withDefaults(Map.of("spec.unschedulable", "false")))
                .columns(
                        Column.of(
                                "Status", "string", "Whether the node is ready for pods.", (node, now) -> status(node)),
                        Column.of(
                                "Roles", "string", "What the node's labels say it is for.", (node, now) -> roles(node)),
                        Column.AGE,
                        info("Version", "The version of the node's agent.", 0, "", "kubeletVersion"),
                        address("Internal-IP", "The node's address inside the cluster.", "InternalIP"),
                        address("External-IP", "The node's address for the outside.", "ExternalIP"),
                        info("OS-Image", "The operating system.", 1, "<unknown>", "osImage"),
                        info("Kernel-Version", "The kernel's version.", 1, "<unknown>", "kernelVersion"),
                        info("Container-Runtime", "What runs containers.", 1, "<unknown>", "containerRuntimeVersion"))
                .build();
    }

    private static void fill(ObjectNode node) {
        Trees.child(node, "spec");
        ObjectNode status = Trees.child(node, "status");
        Quantities.canonicalize(status.path("capacity"));
        Quantities.canonicalize(status.path("allocatable"));
        if (!Trees.has(status, "allocatable") && Trees.has(status, "capacity")) {
            status.set("allocatable", status.path("capacity").deepCopy());
        }
        Trees.fill(Trees.child(Trees.child(status, "daemonEndpoints"), "kubeletEndpoint"), "Port", 0);
        ObjectNode info = Trees.child(status, "nodeInfo");
        INFO.forEach(field -> Trees.fill(info, field, ""));
    }

    private static Column info(String name, String description, int priority, String unset, String field) {
        return new Column(name, "string", "", description, priority, (node, now) -> {
            String text = Trees.text(node, "status", "nodeInfo", field);
            return text.isEmpty() ? unset : text;
        });
    }

    private static Column address(String name, String description, String type) {
        return Column.wide(
                name,
                "string",
                description,
                (node, now) -> orNone(Trees.objects(Trees.at(node, "status", "addresses")).stream()
                        .filter(one -> Trees.text(one, "type").equals(type))
                        .map(one -> Trees.text(one, "address"))
                        .findFirst()
                        .orElse("")));
    }

    private static String status(ObjectNode node) {
        var parts = new ArrayList<String>();
        for (ObjectNode condition : Trees.objects(Trees.at(node, "status", "conditions"))) {
            if (Trees.text(condition, "type").equals("Ready")) {
                parts.add(Trees.text(condition, "status").equals("True") ? "Ready" : "NotReady");
            }
        }
        if (parts.isEmpty()) {
            parts.add("Unknown");
        }
        if (Trees.at(node, "spec", "unschedulable").asBoolean()) {
            parts.add("SchedulingDisabled");
        }
        return String.join(",", parts);
    }

    private static String roles(ObjectNode node) {
        var roles = new TreeSet<String>();
        Trees.map(Trees.at(node, "metadata", "labels")).forEach((key, value) -> {
            if (key.startsWith(ROLE_PREFIX) && key.length() > ROLE_PREFIX.length()) {
                roles.add(key.substring(ROLE_PREFIX.length()));
            } else if (key.equals(ROLE) && !value.isEmpty()) {
                roles.add(value);
            }
        });
        return orNone(String.join(",", roles));
    }

    private static final class NodeStrategy extends BasicStrategy {
        NodeStrategy() {
            super(Trait.STATUS);
        }

        /** A new node takes no pods until it has said that it is ready. */
        @Override
        public void prepareForCreate(RequestContext context, ObjectNode node) {
            super.prepareForCreate(context, node);
            ObjectNode spec = Trees.child(node, "spec");
            boolean tainted = Trees.objects(spec.path("taints")).stream()
                    .anyMatch(taint -> Trees.text(taint, "key").equals(NOT_READY)
                            && Trees.text(taint, "effect").equals("NoSchedule"));
            if (!tainted) {
                Trees.list(spec, "taints").addObject().put("key", NOT_READY).put("effect", "NoSchedule");
            }
        }

        /** A node's agent brings its status along when it registers the node. */
        @Override
        protected ObjectNode initialStatus(ObjectNode node) {
            return Trees.child(node, "status");
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode node) {
            var faults = new Faults();
            int i = 0;
            for (JsonNode taint : Trees.at(node, "spec", "taints")) {
                String at = "spec.taints[" + i++ + "]";
                faults.presentByRule(at + ".key", taint.path("key"), Names::labelKey);
                faults.rule(at + ".value", Trees.text(taint, "value"), Names::labelValue);
                faults.oneOf(at + ".effect", taint.path("effect"), EFFECTS);
            }
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode node, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, node));
            JsonNode before = Trees.at(old, "spec", "providerID");
            if (!Trees.text(before).isEmpty()) {
                faults.immutable("spec.providerID", Trees.at(node, "spec", "providerID"), before);
            }
            return faults.list();
        }
    }
}
