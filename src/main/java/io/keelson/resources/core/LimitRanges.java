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
                notAbove(faults, at, limit, "min", "max");
                notAbove(faults, at, limit, "defaultRequest", "max");
                notAbove(faults, at, limit, "default", "max");
                notAbove(faults, at, limit, "defaultRequest", "default");
            }
            return faults.list();
        }

        private static void notAbove(Faults faults, String at, ObjectNode limit, String low, String high) {
            for (var amount : limit.path(low).properties()) {
                JsonNode bound = limit.path(high).path(amount.getKey());
                BigDecimal value = Quantities.value(amount.getValue());
                BigDecimal most = Quantities.value(bound);
                if (value != null && most != null && value.compareTo(most) > 0) {
                    faults.invalid(
                            at + "." + low + "[" + amount.getKey() + "]",
                            amount.getValue(),
                            low + " value " + amount.getValue().asText() + " is greater than " + high + " value "
                                    + bound.asText());
                }
            }
        }
    }
}
