package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.RestStorage.DeleteOptions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides what a deletion does to an object in its present state: remove it, mark it, or leave it as it is because it
 * waits already. Pure; asked anew for each state that a race brings.
 *
 * @param outcome what to do
 * @param object the object in the state that it is to have, or had when it was removed
 */
record Deletion(Outcome outcome, ObjectNode object) {
    enum Outcome {
        REMOVE,
        MARK,
        WAITS
    }

    static Deletion decide(ResourceDefinition definition, ObjectNode existing, DeleteOptions options, Instant now) {
        DeleteStrategy strategy = definition.strategy();
        ObjectNode object = existing.deepCopy();
        ObjectNode metadata = (ObjectNode) Objects.requireNonNull(object.get("metadata"), "metadata");
        Long grace = strategy.gracePeriodSeconds(existing, atLeastOne(options.gracePeriodSeconds()));
        boolean changed = setFinalizers(metadata, finalizers(strategy, existing, options));
        boolean held = !metadata.path("finalizers").isEmpty() || strategy.holdsDeletion(existing);
        boolean waitsForGrace = grace != null && grace > 0;
        if (metadata.hasNonNull("deletionTimestamp")) {
            if (grace != null && shortenGrace(metadata, grace, now)) {
                changed = true;
            }
            waitsForGrace &= metadata.path("deletionGracePeriodSeconds").asLong() > 0;
        } else if (grace != null || held) {
            mark(metadata, grace == null ? 0 : grace, now);
            strategy.prepareForDelete(object);
            changed = true;
        }
        if (!held && !waitsForGrace) {
            return new Deletion(Outcome.REMOVE, object);
        }
        return new Deletion(changed ? Outcome.MARK : Outcome.WAITS, object);
    }

    /** A negative period means at once, but is told apart from a period that ends before the request does. */
    private static @Nullable Long atLeastOne(@Nullable Long asked) {
        return asked != null && asked < 0 ? Long.valueOf(1) : asked;
    }

    private static void mark(ObjectNode metadata, long grace, Instant now) {
        metadata.put(
                "deletionTimestamp",
                now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(grace).toString());
        metadata.put("deletionGracePeriodSeconds", grace);
        long generation = metadata.path("generation").asLong();
        if (generation > 0) {
            metadata.put("generation", generation + 1);
        }
    }

    /** A second deletion may only shorten the period of the first. */
    private static boolean shortenGrace(ObjectNode metadata, long grace, Instant now) {
        if (metadata.path("deletionGracePeriodSeconds").asLong() <= grace) {
            return false;
        }
        metadata.put(
                "deletionTimestamp",
                now.truncatedTo(ChronoUnit.SECONDS).plusSeconds(grace).toString());
        metadata.put("deletionGracePeriodSeconds", grace);
        return true;
    }

    private static List<String> finalizers(DeleteStrategy strategy, ObjectNode existing, DeleteOptions options) {
        var wanted = new ArrayList<String>();
        boolean orphaning = false;
        boolean foreground = false;
        for (JsonNode finalizer : existing.path("metadata").path("finalizers")) {
            switch (finalizer.asText()) {
                case PropagationPolicy.ORPHAN_FINALIZER -> orphaning = true;
                case PropagationPolicy.FOREGROUND_FINALIZER -> foreground = true;
                default -> wanted.add(finalizer.asText());
            }
        }
        PropagationPolicy policy = policy(strategy, options, orphaning, foreground);
        if (policy == PropagationPolicy.ORPHAN) {
            wanted.add(PropagationPolicy.ORPHAN_FINALIZER);
        } else if (policy == PropagationPolicy.FOREGROUND) {
            wanted.add(PropagationPolicy.FOREGROUND_FINALIZER);
        }
        return wanted;
    }

    private static PropagationPolicy policy(
            DeleteStrategy strategy, DeleteOptions options, boolean orphaning, boolean foreground) {
        if (options.propagation() != null) {
            return options.propagation();
        }
        if (options.orphanDependents() != null) {
            return options.orphanDependents() ? PropagationPolicy.ORPHAN : PropagationPolicy.BACKGROUND;
        }
        if (orphaning) {
            return PropagationPolicy.ORPHAN;
        }
        return foreground ? PropagationPolicy.FOREGROUND : strategy.defaultPropagation();
    }

    private static boolean setFinalizers(ObjectNode metadata, List<String> wanted) {
        ArrayNode finalizers = metadata.arrayNode();
        wanted.forEach(finalizers::add);
        if (finalizers.isEmpty()
                ? metadata.path("finalizers").isEmpty()
                : finalizers.equals(metadata.get("finalizers"))) {
            return false;
        }
        if (finalizers.isEmpty()) {
            metadata.remove("finalizers");
        } else {
            metadata.set("finalizers", finalizers);
        }
        return true;
    }
}
