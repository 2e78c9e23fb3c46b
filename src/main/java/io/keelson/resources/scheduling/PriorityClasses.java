package io.keelson.resources.scheduling;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Map;

/** Priority classes: which pods go before others. */
public final class PriorityClasses {
    /** The highest priority that users may give; those above are the system's own. */
    private static final int HIGHEST = 1_000_000_000;

    private static final String SYSTEM_PREFIX = "system-";

    /** The values of the classes that there are from the start. */
    public static final Map<String, Integer> SYSTEM =
            Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

    private static final List<String> PREEMPTION = List.of("Never", "PreemptLowerPriority");

    private PriorityClasses() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("scheduling.k8s.io", "v1", "PriorityClass", "priorityclasses")
                .shortNames("pc")
                .strategy(KindStrategy.of(Trait.GENERATION)
                        .checkNew(PriorityClasses::checkNew)
                        .check((faults, one) ->
                                faults.oneOf("preemptionPolicy", one.path("preemptionPolicy"), PREEMPTION))
                        .checkChange(PriorityClasses::checkChange)
                        .build())
                .defaults(Defaults.of(PriorityClasses::fill))
                .columns(
                        Cells.number("Value", "The priority of pods of this class.", "value"),
                        Column.of(
                                "Global-Default",
                                "boolean",
                                "Whether pods that name no class are of this one.",
                                (one, now) -> one.path("globalDefault").asBoolean()),
                        Column.AGE,
                        Cells.text("PreemptionPolicy", "Whether pods of lower priority make room.", "preemptionPolicy"))
                .build();
    }

    private static void fill(ObjectNode one) {
        Trees.fill(one, "preemptionPolicy", "PreemptLowerPriority");
        Trees.fill(one, "value", 0);
        if (!one.path("globalDefault").asBoolean(true)) {
            one.remove("globalDefault");
        }
    }

    private static void checkNew(Faults faults, ObjectNode one) {
        String name = Trees.text(one, "metadata", "name");
        long value = one.path("value").asLong();
        if (name.startsWith(SYSTEM_PREFIX)) {
            Integer known = SYSTEM.get(name);
            if (known == null || known != value) {
                faults.forbidden(
                        "metadata.name",
                        "priority class names with '" + SYSTEM_PREFIX + "' prefix are reserved for system use only");
            }
        } else if (value > HIGHEST) {
            faults.forbidden("value", "maximum allowed value of a user defined priority is " + HIGHEST);
        }
    }

    private static void checkChange(Faults faults, ObjectNode one, ObjectNode old) {
        if (one.path("value").asLong() != old.path("value").asLong()) {
            faults.forbidden("value", "may not be changed in an update.");
        }
        faults.immutable("preemptionPolicy", one.path("preemptionPolicy"), old.path("preemptionPolicy"));
    }
}
