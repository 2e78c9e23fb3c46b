package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.registry.Ages;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.OwnedFieldNames;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Events: what happened to other objects, kept for a while. */
public final class Events {
    /** How long an event is kept, in seconds. */
    public static final long TTL_SECONDS = 3600;

    /** How long a reporter, an action and a reason are at most, in characters. */
    private static final int MAX_WORD = 128;

    private static final List<String> INVOLVED =
            List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");
    private static final List<String> TIMES = List.of("eventTime", "firstTimestamp", "lastTimestamp");

    /** What fields are called in the group events.k8s.io, by their names in the core group. */
    public static final Map<String, String> NAMES_IN_OWN_GROUP = Map.of(
            "involvedObject", "regarding",
            "message", "note",
            "source", "deprecatedSource",
            "firstTimestamp", "deprecatedFirstTimestamp",
            "lastTimestamp", "deprecatedLastTimestamp",
            "count", "deprecatedCount",
            "reportingComponent", "reportingController");

    private Events() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "Event", "events")
                .shortNames("ev")
                .strategy(new EventStrategy())
                .defaults(Defaults.of(Events::fill))
                .ownedFieldNames(new OwnedFieldNames(Map.of("events.k8s.io/v1", NAMES_IN_OWN_GROUP)))
                .ttlSeconds(event -> TTL_SECONDS)
                .selectableFields(selectable())
                .allColumns(
                        Column.of(
                                "Last Seen",
                                "string",
                                "How long ago it last happened.",
                                (event, now) -> Ages.since(Trees.text(lastSeen(event)), now)),
                        Cells.text("Type", "How serious it is.", "type"),
                        Cells.text("Reason", "Why it happened, in one word.", "reason"),
                        Column.of("Object", "string", "What it happened to.", (event, now) -> object(event)),
                        wide("Subobject", "Which part of the object.", "involvedObject", "fieldPath"),
                        Column.wide("Source", "string", "Who tells of it.", (event, now) -> source(event)),
                        Column.of(
                                "Message",
                                "string",
                                "What happened.",
                                (event, now) -> Trees.text(event, "message").strip()),
                        Column.wide(
                                "First Seen",
                                "string",
                                "How long ago it first happened.",
                                (event, now) -> Ages.since(Trees.text(firstSeen(event)), now)),
                        Column.wide("Count", "string", "How often it happened.", (event, now) -> count(event)),
                        new Column(
                                "Name",
                                "string",
                                "name",
                                "The event's own name.",
                                1,
                                (event, now) -> Trees.text(event, "metadata", "name")))
                .build();
    }

    private static SelectableFields selectable() {
        var fields = new LinkedHashMap<String, String>();
        for (String field : INVOLVED) {
            fields.put("involvedObject." + field, "");
        }
        List.of("reason", "reportingComponent", "source", "type").forEach(field -> fields.put(field, ""));
        return SelectableFields.withPaths(fields, Map.of("source", "source.component"));
    }

    /** The times and reporters of an event are there even if nobody has said them. */
    private static void fill(ObjectNode event) {
        Trees.child(event, "involvedObject");
        Trees.child(event, "source");
        Trees.fill(event, "reportingComponent", "");
        Trees.fill(event, "reportingInstance", "");
        TIMES.stream().filter(time -> !event.has(time)).forEach(event::putNull);
    }

    private static Column wide(String name, String description, String... path) {
        return Column.wide(name, "string", description, (event, now) -> Trees.text(event, path));
    }

    private static String object(ObjectNode event) {
        String kind = Trees.text(event, "involvedObject", "kind").toLowerCase(Locale.ROOT);
        String name = Trees.text(event, "involvedObject", "name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(ObjectNode event) {
        String component = Trees.text(event, "source", "component");
        String host = Trees.text(event, "source", "host");
        if (component.isEmpty()) {
            component = Trees.text(event, "reportingComponent");
            host = Trees.text(event, "reportingInstance");
        }
        return host.isEmpty() ? component : component + ", " + host;
    }

    private static JsonNode firstSeen(ObjectNode event) {
        return Trees.has(event, "firstTimestamp") ? event.path("firstTimestamp") : event.path("eventTime");
    }

    private static JsonNode lastSeen(ObjectNode event) {
        if (Trees.has(event.path("series"), "lastObservedTime")) {
            return event.path("series").path("lastObservedTime");
        }
        return Trees.has(event, "lastTimestamp") ? event.path("lastTimestamp") : firstSeen(event);
    }

    private static long count(ObjectNode event) {
        if (event.has("series")) {
            return event.path("series").path("count").asLong();
        }
        return Math.max(event.path("count").asLong(), 1);
    }

    /**
     * Events in the newer form, which have an {@code eventTime}, say who tells of what.
     *
     * @param reporter the field that names who tells of it
     */
    public static void checkReport(Faults faults, ObjectNode event, String reporter) {
        faults.presentByRule(reporter, event.path(reporter), Names::labelKey);
        for (String field : List.of("reportingInstance", "action", "reason")) {
            if (faults.present(field, event.path(field))
                    && Trees.text(event, field).length() > MAX_WORD) {
                faults.invalid(field, event.path(field), "can have at most " + MAX_WORD + " characters");
            }
        }
    }

    private static final class EventStrategy extends BasicStrategy {
        EventStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public boolean allowCreateOnUpdate() {
            return true;
        }

        /** An event about an object without a namespace lives in {@code default}. */
        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode event) {
            var faults = new Faults();
            checkNamespace(faults, event);
            if (Trees.has(event, "eventTime")) {
                checkReport(faults, event, "reportingComponent");
            }
            return faults.list();
        }

        private static void checkNamespace(Faults faults, ObjectNode event) {
            String own = Trees.text(event, "metadata", "namespace");
            String involved = Trees.text(event, "involvedObject", "namespace");
            boolean matches = involved.isEmpty() ? own.isEmpty() || own.equals("default") : involved.equals(own);
            if (!matches) {
                faults.invalid("involvedObject.namespace", involved, "does not match event.namespace");
            }
        }
    }
}
