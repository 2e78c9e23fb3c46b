package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
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
import java.util.Set;

/** Resource quotas: how much a namespace may use. */
public final class ResourceQuotas {
    private ResourceQuotas() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "ResourceQuota", "resourcequotas")
                .shortNames("quota")
                .strategy(new QuotaStrategy())
                .defaults(Defaults.of(quota -> {
                    Quantities.canonicalize(Trees.at(Trees.child(quota, "spec"), "hard"));
                    Quantities.canonicalize(Trees.at(quota, "status", "hard"));
                    Quantities.canonicalize(Trees.at(quota, "status", "used"));
                }))
                .columns(
                        Column.of(
                                "Request",
                                "string",
                                "What is used and allowed of all but limits.",
                                (quota, now) -> show(quota, false)),
                        Column.of(
                                "Limit",
                                "string",
                                "What is used and allowed of limits.",
                                (quota, now) -> show(quota, true)),
                        Column.AGE)
                .returnsDeletedObject()
                .build();
    }

    /** What has been counted so far: {@code name: used/hard}. */
    private static String show(ObjectNode quota, boolean limits) {
        var parts = new ArrayList<String>();
        Trees.map(Trees.at(quota, "status", "hard")).forEach((name, hard) -> {
            if (name.startsWith("limits.") == limits) {
                parts.add(name + ": " + Trees.text(quota, "status", "used", name) + "/" + hard);
            }
        });
        return String.join(", ", parts);
    }

    /** What there are whole ones of. */
    private static final Set<String> COUNTED = Set.of(
            "pods",
            "services",
            "replicationcontrollers",
            "resourcequotas",
            "secrets",
            "configmaps",
            "persistentvolumeclaims",
            "services.nodeports",
            "services.loadbalancers");

    private static final List<List<String>> CONFLICTING =
            List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"));

    private static final class QuotaStrategy extends BasicStrategy {
        QuotaStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode quota) {
            var faults = new Faults();
            for (var limit : Trees.at(quota, "spec", "hard").properties()) {
                String field = "spec.hard[" + limit.getKey() + "]";
                faults.rule(field, limit.getKey(), Names::labelKey);
                if (isCounted(limit.getKey()) && isBroken(limit.getValue())) {
                    faults.invalid(field, limit.getValue(), "must be an integer");
                }
                if (Quantities.valueOrZero(limit.getValue()).signum() < 0) {
                    faults.invalid(
                            "spec.hard[" + limit.getKey() + "]",
                            limit.getValue(),
                            "must be greater than or equal to 0");
                }
            }
            checkScopes(faults, Trees.at(quota, "spec", "scopes"));
            return faults.list();
        }

        private static boolean isCounted(String resource) {
            return COUNTED.contains(resource) || resource.startsWith("count/");
        }

        private static boolean isBroken(JsonNode amount) {
            return Quantities.valueOrZero(amount).stripTrailingZeros().scale() > 0;
        }

        private static void checkScopes(Faults faults, JsonNode scopes) {
            List<String> all = Trees.texts(scopes);
            for (List<String> pair : CONFLICTING) {
                if (all.containsAll(pair)) {
                    faults.invalid("spec.scopes", scopes, "conflicting scopes");
                }
            }
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode quota, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, quota));
            JsonNode before = Trees.at(old, "spec", "scopes");
            if (!Trees.at(quota, "spec", "scopes").equals(before)) {
                faults.invalid("spec.scopes", Trees.at(quota, "spec", "scopes"), "field is immutable");
            }
            return faults.list();
        }
    }
}
