package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The managers of an object and the fields that each owns: its managedFields, to be changed. Not thread-safe. */
final class Ownership {
    /** How many updaters an object names. The oldest of more are put together. */
    static final int MAX_UPDATERS = 10;

    /** The manager that stands for updaters of old. */
    private static final String ANCIENT_CHANGES = "ancient-changes";

    private static final String FIELDS_V1 = "FieldsV1";

    /**
     * What one manager owns.
     *
     * @param apiVersion the version that the paths of the fields are in
     * @param time of its latest write that changed something, RFC 3339; null where it has not changed anything
     */
    record Entry(String apiVersion, @Nullable String time, ObjectNode fields) {
        Entry withFields(ObjectNode others) {
            return new Entry(apiVersion, time, others);
        }

        private long seconds() {
            try {
                return time == null ? 0 : Instant.parse(time).getEpochSecond();
            } catch (DateTimeException e) {
                return 0;
            }
        }
    }

    private final Map<Manager, Entry> entries = new LinkedHashMap<>();

    /** The managers in an object's metadata, which this server wrote; none where the object is null. */
    static Ownership of(@Nullable ObjectNode object) {
        var ownership = new Ownership();
        if (object != null) {
            for (JsonNode entry : object.path("metadata").path("managedFields")) {
                ownership.read(entry);
            }
        }
        return ownership;
    }

    /** The managers in a list that somebody sent; null where it is no such list, or says nothing. */
    static @Nullable Ownership parse(JsonNode list) {
        var ownership = new Ownership();
        for (JsonNode entry : list) {
            if (!isValid(entry)) {
                return null;
            }
            ownership.read(entry);
        }
        return ownership.isEmpty() ? null : ownership;
    }

    private static boolean isValid(JsonNode entry) {
        String operation = entry.path("operation").asText();
        boolean known =
                operation.equals(Manager.Operation.APPLY.wire()) || operation.equals(Manager.Operation.UPDATE.wire());
        return known
                && entry.path("fieldsType").asText(FIELDS_V1).equals(FIELDS_V1)
                && entry.path("fieldsV1") instanceof ObjectNode fields
                && FieldSets.isValid(fields);
    }

    private void read(JsonNode entry) {
        if (!(entry.path("fieldsV1") instanceof ObjectNode fields) || fields.isEmpty()) {
            return;
        }
        String apiVersion = entry.path("apiVersion").asText();
        boolean applied = entry.path("operation").asText().equals(Manager.Operation.APPLY.wire());
        var manager = new Manager(
                entry.path("manager").asText(),
                applied ? Manager.Operation.APPLY : Manager.Operation.UPDATE,
                applied ? "" : apiVersion,
                entry.path("subresource").asText());
        JsonNode time = entry.get("time");
        entries.put(manager, new Entry(apiVersion, time == null || time.isNull() ? null : time.asText(), fields));
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    List<Manager> managers() {
        return List.copyOf(entries.keySet());
    }

    /** What a manager owns, null for nothing. */
    @Nullable
    ObjectNode fieldsOf(Manager manager) {
        Entry entry = entries.get(manager);
        return entry == null ? null : entry.fields();
    }

    /** The version that the fields of a manager are those of; empty for one that owns nothing. */
    String versionOf(Manager manager) {
        Entry entry = entries.get(manager);
        return entry == null ? "" : entry.apiVersion();
    }

    /** All that is owned. */
    @Nullable
    ObjectNode allFields() {
        ObjectNode all = null;
        for (Entry entry : entries.values()) {
            all = FieldSets.union(all, entry.fields());
        }
        return all;
    }

    /** Gives a manager other fields, keeping its time; a manager without fields goes. */
    void set(Manager manager, String apiVersion, @Nullable ObjectNode fields) {
        if (fields == null) {
            entries.remove(manager);
        } else {
            Entry before = entries.get(manager);
            entries.put(manager, new Entry(apiVersion, before == null ? null : before.time(), fields));
        }
    }

    /** Takes fields from a manager. */
    @SuppressWarnings("ReferenceEquality") // what has not changed is handed on as it is
    void take(Manager manager, @Nullable ObjectNode fields) {
        Entry entry = entries.get(manager);
        if (entry == null || fields == null) {
            return;
        }
        ObjectNode left = FieldSets.minus(entry.fields(), fields);
        if (left == null) {
            entries.remove(manager);
        } else if (left != entry.fields()) {
            entries.put(manager, entry.withFields(left));
        }
    }

    /** Says when a manager has changed something. */
    void stamp(Manager manager, Instant now) {
        Entry entry = entries.get(manager);
        if (entry != null) {
            String time = now.truncatedTo(ChronoUnit.SECONDS).toString();
            entries.put(manager, new Entry(entry.apiVersion(), time, entry.fields()));
        }
    }

    /** Puts the oldest updaters of a version together, until there are not too many. */
    void capUpdaters() {
        List<Manager> updaters = new ArrayList<>(entries.keySet());
        updaters.removeIf(manager -> manager.operation() != Manager.Operation.UPDATE);
        int left = updaters.size();
        if (left <= MAX_UPDATERS) {
            return;
        }
        updaters.sort(
                Comparator.<Manager>comparingLong(manager -> entry(manager).seconds())
                        .thenComparing(Manager.ORDER));
        var firstOfVersion = new LinkedHashMap<String, Manager>();
        for (Manager manager : updaters) {
            if (left <= MAX_UPDATERS) {
                return;
            }
            Manager first = firstOfVersion.putIfAbsent(manager.apiVersion(), manager);
            if (first != null) {
                join(first, manager);
                left--;
            }
        }
    }

    /** Puts an updater to those of old, of which the first gives up its name. */
    private void join(Manager first, Manager manager) {
        var ancient = new Manager(ANCIENT_CHANGES, Manager.Operation.UPDATE, manager.apiVersion(), "");
        Entry joined = entry(manager);
        Entry old = entries.containsKey(ancient) ? entry(ancient) : entry(first);
        if (!entries.containsKey(ancient)) {
            entries.remove(first);
        }
        entries.remove(manager);
        ObjectNode both = Objects.requireNonNull(FieldSets.union(old.fields(), joined.fields()));
        entries.put(ancient, new Entry(joined.apiVersion(), joined.time(), both));
    }

    private Entry entry(Manager manager) {
        return Objects.requireNonNull(entries.get(manager));
    }

    /** Writes managedFields into an object, appliers first and then by age, as kube-apiserver has it. */
    void writeTo(ObjectNode object) {
        ObjectNode metadata = metadataOf(object);
        if (entries.isEmpty()) {
            metadata.remove("managedFields");
            return;
        }
        List<Map.Entry<Manager, Entry>> sorted = new ArrayList<>(entries.entrySet());
        if (sorted.size() > 1) {
            sorted.sort(Comparator.<Map.Entry<Manager, Entry>, Manager.Operation>comparing(
                            entry -> entry.getKey().operation())
                    .thenComparingLong(entry -> entry.getValue().seconds())
                    .thenComparing(entry -> entry.getKey().name())
                    .thenComparing(entry -> entry.getValue().apiVersion())
                    .thenComparing(entry -> entry.getKey().subresource()));
        }
        ArrayNode list = metadata.putArray("managedFields");
        sorted.forEach(entry -> write(list.addObject(), entry.getKey(), entry.getValue()));
    }

    private static void write(ObjectNode to, Manager manager, Entry entry) {
        to.put("manager", manager.name())
                .put("operation", manager.operation().wire())
                .put("apiVersion", entry.apiVersion());
        if (entry.time() != null) {
            to.put("time", entry.time());
        }
        to.put("fieldsType", FIELDS_V1);
        to.set("fieldsV1", entry.fields());
        if (!manager.subresource().isEmpty()) {
            to.put("subresource", manager.subresource());
        }
    }

    private static ObjectNode metadataOf(ObjectNode object) {
        return object.get("metadata") instanceof ObjectNode metadata ? metadata : object.putObject("metadata");
    }

    /** Whether two lists of managedFields say the same but for their times. */
    static boolean sameButTimes(JsonNode one, JsonNode other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (int i = 0; i < one.size(); i++) {
            if (!withoutTime(one.get(i)).equals(withoutTime(other.get(i)))) {
                return false;
            }
        }
        return true;
    }

    private static ObjectNode withoutTime(JsonNode entry) {
        ObjectNode copy = Json.object();
        entry.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        copy.remove("time");
        return copy;
    }
}
