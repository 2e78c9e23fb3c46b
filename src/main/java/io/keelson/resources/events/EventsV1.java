package io.keelson.resources.events;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.StoredVersion;
import io.keelson.registry.VersionConverter;
import io.keelson.resources.core.Events;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events of {@code events.k8s.io/v1}: the very objects of the core group, some of whose fields are called otherwise. What
 * is created here must say when it happened, who tells of it and what was done.
 */
public final class EventsV1 {
    private static final List<String> OF_OBJECT =
            List.of("kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath");

    /** Fields of the older form, which new events leave alone. */
    private static final List<String> DEPRECATED =
            List.of("deprecatedFirstTimestamp", "deprecatedLastTimestamp", "deprecatedCount");

    private static final List<String> TYPES = List.of("Normal", "Warning");

    /** The longest note, in characters. */
    private static final int MAX_NOTE = 1024;

    private EventsV1() {}

    public static ResourceDefinition definition() {
        Map<String, String> fields = fields();
        return ResourceDefinition.of("events.k8s.io", "v1", "Event", "events")
                .shortNames("ev")
                .strategy(new EventStrategy())
                .defaults(Defaults.NONE)
                .selectableFields(SelectableFields.of(List.copyOf(fields.keySet())))
                .storedAs(new StoredVersion(Events.definition(), new Renaming(), fields))
                .columnsOfStored()
                .build();
    }

    /** The selectable fields, with their names in the core group. */
    private static Map<String, String> fields() {
        var fields = new LinkedHashMap<String, String>();
        OF_OBJECT.forEach(field -> fields.put("regarding." + field, "involvedObject." + field));
        fields.put("reason", "reason");
        fields.put("reportingController", "reportingComponent");
        fields.put("type", "type");
        return fields;
    }

    private static final class Renaming implements VersionConverter {
        @Override
        public ObjectNode fromStored(ObjectNode stored) {
            Events.NAMES_IN_OWN_GROUP.forEach((core, here) -> rename(stored, core, here));
            for (String field : List.of("reportingController", "reportingInstance")) {
                if (Trees.text(stored, field).isEmpty()) {
                    stored.remove(field);
                }
            }
            return stored;
        }

        @Override
        public ObjectNode toStored(ObjectNode served) {
            Events.NAMES_IN_OWN_GROUP.forEach((core, here) -> rename(served, here, core));
            return served;
        }

        private static void rename(ObjectNode object, String from, String to) {
            var value = object.remove(from);
            if (value != null) {
                object.set(to, value);
            }
        }
    }

    private static final class EventStrategy extends BasicStrategy {
        EventStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode event) {
            var faults = new Faults();
            if (faults.present("eventTime", event.path("eventTime"))) {
                Events.checkReport(faults, event, "reportingController");
            }
            faults.oneOf("type", event.path("type"), TYPES);
            if (Trees.text(event, "note").length() > MAX_NOTE) {
                faults.invalid("note", "", "can have at most " + MAX_NOTE + " characters");
            }
            for (String field : DEPRECATED) {
                if (Trees.has(event, field) && !Trees.text(event, field).equals("0")) {
                    faults.invalid(field, event.path(field), "needs to be unset");
                }
            }
            if (!event.path("deprecatedSource").isEmpty()) {
                faults.invalid("deprecatedSource", event.path("deprecatedSource"), "needs to be unset");
            }
            return faults.list();
        }

        /** What happened has happened; only how often may change. Events of the older form may come without a time. */
        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode event, ObjectNode old) {
            var faults = new Faults();
            for (String field : List.of(
                    "regarding",
                    "reason",
                    "note",
                    "type",
                    "eventTime",
                    "action",
                    "related",
                    "reportingController",
                    "reportingInstance")) {
                faults.immutable(field, unset(event, field), unset(old, field));
            }
            return faults.list();
        }

        private static JsonNode unset(ObjectNode event, String field) {
            return Trees.has(event, field) ? event.path(field) : event.missingNode();
        }
    }
}
