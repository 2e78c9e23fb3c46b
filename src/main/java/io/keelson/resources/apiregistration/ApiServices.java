package io.keelson.resources.apiregistration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Registrations of the versions of API groups: those that this server serves, and none that other servers would. */
public final class ApiServices {
    public static final String GROUP = "apiregistration.k8s.io";
    public static final String PLURAL = "apiservices";

    /** The label of those that the server keeps, which says how. */
    public static final String MANAGED = "kube-aggregator.kubernetes.io/automanaged";

    /** The value of {@link #MANAGED} of those that are there from the start and for good. */
    public static final String ON_START = "onstart";

    /** The value of {@link #MANAGED} of those that go again. */
    public static final String WHILE_SERVED = "true";

    private static final int MAX_GROUP_PRIORITY = 20_000;
    private static final int MAX_VERSION_PRIORITY = 1_000;
    private static final int HTTPS = 443;

    private ApiServices() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(GROUP, "v1", "APIService", PLURAL)
                .categories("api-extensions")
                .nameRule(name -> List.of())
                .strategy(new ApiServiceStrategy())
                .defaults(Defaults.of(ApiServices::fill))
                .columns(
                        Column.of("Service", "string", "Who serves it.", (one, now) -> service(one)),
                        Column.of("Available", "string", "Whether it can be reached.", (one, now) -> available(one)),
                        Column.AGE)
                .build();
    }

    public static String name(String group, String version) {
        return version + "." + group;
    }

    /** The registration of a version of a group that this server serves. */
    public static ObjectNode local(
            String group, String version, String managed, int groupPriority, int versionPriority) {
        ObjectNode service = Json.object();
        service.put("apiVersion", GROUP + "/v1").put("kind", "APIService");
        ObjectNode metadata = service.putObject("metadata").put("name", name(group, version));
        metadata.putObject("labels").put(MANAGED, managed);
        ObjectNode spec = service.putObject("spec");
        if (!group.isEmpty()) {
            spec.put("group", group);
        }
        spec.put("version", version).put("groupPriorityMinimum", groupPriority).put("versionPriority", versionPriority);
        return service;
    }

    private static void fill(ObjectNode service) {
        if (Trees.child(service, "spec").path("service") instanceof ObjectNode reference) {
            Trees.fill(reference, "port", HTTPS);
        }
    }

    private static boolean isLocal(ObjectNode service) {
        return !service.path("spec").has("service");
    }

    private static String service(ObjectNode service) {
        return isLocal(service)
                ? "Local"
                : Trees.text(service, "spec", "service", "namespace") + "/"
                        + Trees.text(service, "spec", "service", "name");
    }

    private static String available(ObjectNode service) {
        for (ObjectNode condition : Trees.objects(Trees.at(service, "status", "conditions"))) {
            if (Trees.text(condition, "type").equals("Available")) {
                String status = Trees.text(condition, "status");
                return status.equals("True") ? status : status + " (" + Trees.text(condition, "reason") + ")";
            }
        }
        return "Unknown";
    }

    private static final class ApiServiceStrategy extends BasicStrategy {
        ApiServiceStrategy() {
            super(Trait.STATUS);
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode service) {
            super.prepareForCreate(context, service);
            boolean local = isLocal(service);
            Trees.list(Trees.child(service, "status"), "conditions")
                    .addObject()
                    .put(
                            "lastTransitionTime",
                            context.now().truncatedTo(ChronoUnit.SECONDS).toString())
                    .put(
                            "message",
                            local
                                    ? "Local APIServices are always available"
                                    : "this server does not pass requests on to others")
                    .put("reason", local ? "Local" : "NotProxied")
                    .put("status", local ? "True" : "False")
                    .put("type", "Available");
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode service) {
            var faults = new Faults();
            JsonNode spec = service.path("spec");
            String wanted = name(Trees.text(spec, "group"), Trees.text(spec, "version"));
            String name = Trees.text(service, "metadata", "name");
            if (!name.equals(wanted)) {
                faults.invalid("metadata.name", name, "must be `spec.version+\".\"+spec.group`: \"" + wanted + "\"");
            }
            priority(faults, "spec.groupPriorityMinimum", spec.path("groupPriorityMinimum"), MAX_GROUP_PRIORITY);
            priority(faults, "spec.versionPriority", spec.path("versionPriority"), MAX_VERSION_PRIORITY);
            boolean insecure = spec.path("insecureSkipTLSVerify").asBoolean();
            if (isLocal(service)) {
                if (spec.has("caBundle")) {
                    faults.invalid("spec.caBundle", "", "local APIServices may not have a caBundle");
                }
                if (insecure) {
                    faults.invalid(
                            "spec.insecureSkipTLSVerify", true, "local APIServices may not have insecureSkipTLSVerify");
                }
                return faults.list();
            }
            faults.present("spec.service.namespace", Trees.at(spec, "service", "namespace"));
            faults.present("spec.service.name", Trees.at(spec, "service", "name"));
            faults.port("spec.service.port", Trees.at(spec, "service", "port"));
            if (insecure && spec.has("caBundle")) {
                faults.invalid("spec.insecureSkipTLSVerify", true, "may not be true if caBundle is present");
            }
            return faults.list();
        }

        private static void priority(Faults faults, String field, JsonNode priority, int max) {
            if (priority.asLong() <= 0 || priority.asLong() > max) {
                faults.invalid(field, priority, "must be positive and less than " + max);
            }
        }
    }
}
