package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.stream.Collectors;

/** Services: one address before many pods. */
public final class Services {
    private Services() {}

    /**
     * @param allocator gives services their addresses and node ports
     */
    public static ResourceDefinition definition(ServiceAllocator allocator) {
        return ResourceDefinition.of("", "v1", "Service", "services")
                .shortNames("svc")
                .categories("all")
                .strategy(new ServiceStrategy())
                .hooks(new ServiceHooks(allocator))
                .nameRule(Names::label)
                .defaults(Defaults.of(service -> ServiceSpecs.defaults(Trees.child(service, "spec"))))
                .selectableFields(SelectableFields.of(List.of("spec.clusterIP", "spec.type")))
                .columns(
                        Cells.text("Type", "How the service is reached.", "spec", "type"),
                        Column.of(
                                "Cluster-IP",
                                "string",
                                "The address inside the cluster.",
                                (service, now) -> Cells.orNone(Trees.text(service, "spec", "clusterIP"))),
                        Column.of(
                                "External-IP",
                                "string",
                                "Where the service is reached from outside.",
                                (service, now) -> external(service)),
                        Column.of(
                                "Port(s)",
                                "string",
                                "The ports that the service listens on.",
                                (service, now) -> ports(service)),
                        Column.AGE,
                        Column.wide(
                                "Selector",
                                "string",
                                "Labels that select the pods.",
                                (service, now) -> Cells.labels(Trees.at(service, "spec", "selector"))))
                .returnsDeletedObject()
                .build();
    }

    private static String external(ObjectNode service) {
        JsonNode spec = service.path("spec");
        var addresses = Trees.texts(spec.path("externalIPs"));
        return switch (Trees.text(spec, "type")) {
            case "ExternalName" -> Trees.text(spec, "externalName");
            case "LoadBalancer" -> {
                Trees.objects(Trees.at(service, "status", "loadBalancer", "ingress"))
                        .forEach(ingress -> addresses.add(Trees.text(ingress, ingress.has("ip") ? "ip" : "hostname")));
                yield addresses.isEmpty() ? "<pending>" : String.join(",", addresses);
            }
            default -> Cells.orNone(String.join(",", addresses));
        };
    }

    private static String ports(ObjectNode service) {
        return Cells.orNone(Trees.objects(Trees.at(service, "spec", "ports")).stream()
                .map(port -> Trees.text(port, "port")
                        + (port.path("nodePort").asLong() > 0 ? ":" + Trees.text(port, "nodePort") : "")
                        + "/" + Trees.text(port, "protocol"))
                .collect(Collectors.joining(",")));
    }

    private static final class ServiceStrategy extends BasicStrategy {
        ServiceStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS);
        }

        @Override
        public boolean allowCreateOnUpdate() {
            return true;
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode service) {
            super.prepareForCreate(context, service);
            ServiceSpecs.settleAddresses(Trees.child(service, "spec"));
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode service) {
            ObjectNode status = service.objectNode();
            status.putObject("loadBalancer");
            return status;
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode service, ObjectNode old) {
            super.prepareForUpdate(context, service, old);
            ObjectNode spec = Trees.child(service, "spec");
            ServiceSpecs.keepAllocated(spec, old.path("spec"));
            ServiceSpecs.settleAddresses(spec);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode service) {
            var faults = new Faults();
            ServiceSpecs.check(faults, service.path("spec"));
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode service, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, service));
            JsonNode spec = service.path("spec");
            String before = Trees.text(old, "spec", "clusterIP");
            boolean external = Trees.text(spec, "type").equals("ExternalName");
            if (!before.isEmpty() && !external && !Trees.text(spec, "clusterIP").equals(before)) {
                faults.invalid("spec.clusterIPs[0]", spec.path("clusterIPs"), "may not change once set");
            }
            return faults.list();
        }
    }
}
