package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Limit ranges: how much one object of a namespace may use, and uses where it does not say. */
public final class LimitRanges {
    private static final List<String> AMOUNTS =
            List.of("max", "min", "default", "defaultRequest", "maxLimitRequestRatio");

    private LimitRanges() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "LimitRange", "limitranges")
                .shortNames("limits")
                .strategy(new LimitStrategy())
                .defaults(Defaults.of(range ->
                        Trees.objects(Trees.child(range, "spec").path("limits")).forEach(LimitRanges::fill)))
                .columns(Column.of(
                        "Created At",
                        "date",
                        "When the object was created.",
                        (range, now) -> Trees.text(range, "metadata", "creationTimestamp")))
                .build();
    }

    /** A container's default limit is its largest, its default request its default limit, else its least. */
    private static void fill(ObjectNode limit) {
        AMOUNTS.forEach(amount -> Quantities.canonicalize(limit.path(amount)));
        if (Trees.text(limit, "type").equals("Container")) {
            fillFrom(limit, "default", "max");
            fillFrom(limit, "defaultRequest", "default");
            fillFrom(limit, "defaultRequest", "min");
        }
    }

    private static void fillFrom(ObjectNode limit, String name, String from) {
        for (var amount : limit.path(from).properties()) {
            Trees.child(limit, name).putIfAbsent(amount.getKey(), amount.getValue());
        }
    }

    /**
     * Two amounts, of which one may not be above the other.
     *
     * @param field the one that a fault is found in
     */
    private record Pair(String field, String low, String lowName, String high, String highName) {
        void check(Faults faults, String at, ObjectNode limit) {
            for (var amount : limit.path(low).properties()) {
                JsonNode bound = limit.path(high).path(amount.getKey());
                BigDecimal value = Quantities.value(amount.getValue());
                BigDecimal most = Quantities.value(bound);
                if (value != null && most != null && value.compareTo(most) > 0) {
                    faults.invalid(
                            at + "." + field + "[" + amount.getKey() + "]",
                            limit.path(field).path(amount.getKey()),
                            lowName + " value " + amount.getValue().asText() + " is greater than " + highName
                                    + " value " + bound.asText());
                }
            }
        }
    }

    private static final List<Pair> ORDER = List.of(
            new Pair("min", "min", "min", "max", "max"),
            new Pair("defaultRequest", "min", "min", "defaultRequest", "default request"),
            new Pair("defaultRequest", "defaultRequest", "default request", "max", "max"),
            new Pair("defaultRequest", "defaultRequest", "default request", "default", "default limit"),
            new Pair("default", "min", "min", "default", "default"),
            new Pair("default", "default", "default", "max", "max"));

    private static final class LimitStrategy extends BasicStrategy {
        LimitStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public boolean allowCreateOnUpdate() {
            return true;
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode range) {
            var faults = new Faults();
            Set<String> types = new HashSet<>();
            int i = 0;
            for (ObjectNode limit : Trees.objects(Trees.at(range, "spec", "limits"))) {
                String at = "spec.limits[" + i++ + "]";
                if (faults.present(at + ".type", limit.path("type")) && !types.add(Trees.text(limit, "type"))) {
                    faults.duplicate(at + ".type", limit.path("type"));
                }
                checkType(faults, at, limit);
                ORDER.forEach(pair -> pair.check(faults, at, limit));
            }
            return faults.list();
        }

        private static void checkType(Faults faults, String at, ObjectNode limit) {
            switch (Trees.text(limit, "type")) {
                case "Pod" -> {
                    for (String amount : List.of("default", "defaultRequest")) {
                        if (!limit.path(amount).isEmpty()) {
                            faults.forbidden(at + "." + amount, "may not be specified when `type` is 'Pod'");
                        }
                    }
                }
                case "PersistentVolumeClaim" -> {
                    boolean bounded = limit.path("min").has("storage")
                            || limit.path("max").has("storage");
                    if (!bounded) {
                        faults.required(
                                at, "either minimum or maximum storage value is required, but neither was provided");
                    }
                }
                default -> {}
            }
        }
    }
}
