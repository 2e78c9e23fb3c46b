package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.Status;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an object's managedFields: who owns which of its fields. The rules are Kubernetes':
 *
 * <ul>
 *   <li>Any write but apply makes its manager the only owner of the fields that it changes.
 *   <li>Apply makes its manager an owner of all fields in the configuration. Where others own a field and the configuration
 *       has another value, the apply is refused with a conflict, or with {@code force} takes the field from them. Where the
 *       value is the same they share it.
 *   <li>What a manager applied the last time, leaves out now, and nobody else owns is taken out of the object.
 *   <li>A manager's time moves when it changes something, and only then.
 * </ul>
 *
 * <p>The server's own metadata has no owners, nor has what a write cannot change: the status of an object on its own path, all
 * else on the path of the status. An object that has lost its managedFields stays without, until somebody applies to it:
 * then all that it holds is said to be there from before.
 *
 * <p>Immutable and thread-safe; objects are the caller's own.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/">Server-Side Apply</a>
 */
public final class FieldManager {
    private static final String BEFORE_FIRST_APPLY = "before-first-apply";
    private static final ObjectNode NOTHING = Json.object();

    private final ObjectType type;
    private final Scope scope;
    private final Consumer<ObjectNode> defaults;

    /**
     * @param scope what the writes that are kept here can change
     * @param defaults brings a merged object into the form in which it is stored, and fills in the values that fields have where
     *     nothing is written
     */
    public FieldManager(ObjectType type, Scope scope, Consumer<ObjectNode> defaults) {
        this.type = type;
        this.scope = scope;
        this.defaults = defaults;
    }

    // ---- update

    /**
     * Gives a new state of an object its managedFields, by the difference to the old. Those that the new state carries are
     * taken where they are well-formed, as a client may rearrange them, but not on the path of a subresource; a list of one
     * empty entry clears them.
     *
     * @param old the present state, null for a creation
     * @param object the new state, before the server's own changes but with defaults; gets managedFields
     */
    public void update(@Nullable ObjectNode old, ObjectNode object, Writer writer) {
        Ownership ownership = given(old, object, writer);
        boolean untracked = ownership.isEmpty() && old != null;
        if (!untracked) {
            update(ownership, old == null ? NOTHING : old, object, writer);
        }
        ownership.writeTo(object);
    }

    private static Ownership given(@Nullable ObjectNode old, ObjectNode object, Writer writer) {
        JsonNode sent = object.path("metadata").path("managedFields");
        JsonNode present = old == null ? NOTHING : old.path("metadata").path("managedFields");
        if (!writer.subresource().isEmpty() || sent.isEmpty() || sent.equals(present)) {
            return Ownership.of(old);
        }
        if (sent.size() == 1 && sent.get(0).isObject() && sent.get(0).isEmpty()) {
            return new Ownership();
        }
        Ownership parsed = Ownership.parse(sent);
        return parsed == null ? Ownership.of(old) : parsed;
    }

    private void update(Ownership ownership, ObjectNode old, ObjectNode object, Writer writer) {
        var differences = new Differences(old, object, type, scope);
        Comparison.Result difference = differences.own();
        if (difference.isEmpty()) {
            return;
        }
        String apiVersion = writer.apiVersion();
        Manager self = Manager.updater(writer);
        for (Manager manager : ownership.managers()) {
            Comparison.Result seen = differences.in(ownership.versionOf(manager));
            if (!manager.equals(self)) {
                ownership.take(manager, seen.changed());
            }
            ownership.take(manager, seen.removed());
        }
        if (difference.changed() != null) {
            ownership.set(self, apiVersion, FieldSets.union(ownership.fieldsOf(self), difference.changed()));
            if (!writer.subresource().equals("scale")) {
                // Who scales is noted without a time, as by kube-apiserver, which keeps it apart from the object.
                ownership.stamp(self, writer.now());
            }
        }
        ownership.capUpdaters();
    }

    // ---- apply

    /**
     * Merges a configuration into an object and gives the result its managedFields. Neither argument is changed.
     *
     * @param old the present state, null where the apply creates the object
     * @param force whether fields are taken from those who own them
     * @throws ApiException 409 where others own what the configuration changes, 500 (as kube-apiserver answers) where the
     *     configuration does not fit the schema, 400 where it carries managedFields
     */
    public ObjectNode apply(@Nullable ObjectNode old, ObjectNode configuration, Writer writer, boolean force) {
        JsonNode sent = configuration.path("metadata").path("managedFields");
        if (!sent.isMissingNode() && !sent.isNull()) {
            throw ApiException.badRequest("metadata.managedFields must be nil");
        }
        AppliedFields.Result applied = AppliedFields.of(configuration, type, scope);
        if (!applied.errors().isEmpty()) {
            throw misfit(configuration, applied);
        }
        var attempt = new Attempt(old, configuration, applied.set(), writer);
        if (force) {
            return attempt.finish();
        }
        SortedMap<Manager, ObjectNode> conflicts = attempt.conflicts();
        if (!conflicts.isEmpty() && writer.manager().equals(LastApplied.KUBECTL) && old != null) {
            ObjectNode allowed = LastApplied.unchangedSince(old, type, scope);
            conflicts.replaceAll(
                    (manager, fields) -> Objects.requireNonNullElse(FieldSets.minus(fields, allowed), NOTHING));
            conflicts.values().removeIf(ObjectNode::isEmpty);
        }
        if (!conflicts.isEmpty()) {
            throw Conflict.of(conflicts);
        }
        return attempt.finish();
    }

    private ApiException misfit(ObjectNode configuration, AppliedFields.Result applied) {
        JsonNode metadata = configuration.path("metadata");
        String object = metadata.path("namespace").asText() + "/"
                + metadata.path("name").asText() + "; " + type.kind().apiVersion() + ", Kind="
                + type.kind().kind();
        String faults = applied.errors().size() == 1
                ? applied.errors().getFirst()
                : "errors:\n  " + String.join("\n  ", applied.errors());
        return new ApiException(
                new Status(500, null, "failed to create typed patch object (" + object + "): " + faults, null));
    }

    /** One apply: the merged object, and what it changes. */
    private final class Attempt {
        private final ObjectNode old;
        private final ObjectNode configuration;
        private final Writer writer;
        private final Manager self;
        private final Ownership ownership;
        private final ObjectNode merged;
        private final Differences differences;

        /** What others may not own: what changes, and what the configuration takes out by saying null. */
        private final @Nullable ObjectNode contested;

        Attempt(@Nullable ObjectNode present, ObjectNode configuration, @Nullable ObjectNode applied, Writer writer) {
            this.old = present == null ? NOTHING : present;
            this.configuration = configuration;
            this.writer = writer;
            this.self = Manager.applier(writer);
            this.ownership = Ownership.of(present);
            if (ownership.isEmpty() && present != null) {
                update(
                        ownership,
                        NOTHING,
                        present,
                        new Writer(BEFORE_FIRST_APPLY, writer.apiVersion(), "", writer.now()));
            }
            ObjectNode last = ownership.fieldsOf(self);
            String lastVersion = ownership.versionOf(self);
            ownership.set(self, writer.apiVersion(), applied);
            ObjectNode whole = old.deepCopy();
            Merge.into(whole, configuration, type.schema());
            this.merged = last == null ? whole : pruned(whole, last, lastVersion);
            // What a configuration leaves to the defaults is no change of them, also within what has one owner as a
            // whole.
            // (kube-apiserver compares before it fills them in, and finds conflicts that nobody made.)
            defaults.accept(merged);
            this.differences = new Differences(old, merged, type, scope);
            Comparison.Result own = differences.own();
            this.contested = FieldSets.union(own.changed(), FieldSets.intersection(own.removed(), applied));
        }

        /** The object without what the manager gives up, by the version in which it applied that. */
        private ObjectNode pruned(ObjectNode whole, ObjectNode last, String lastVersion) {
            OtherVersions.Version then = type.others().of(lastVersion);
            ObjectNode left = then == null ? whole.deepCopy() : then.convert(whole);
            Pruning.prune(
                    left,
                    last,
                    ownership.allFields(),
                    then == null ? type.schema() : then.type().schema());
            OtherVersions.Version back =
                    then == null ? null : then.type().others().of(type.kind().apiVersion());
            if (back != null) {
                left = back.convert(left);
                Merge.into(left, configuration, type.schema());
            }
            // Whether somebody shares a field of another version shows only there.
            return takesFromOthers(new Differences(whole, left, type, scope)) ? whole : left;
        }

        private boolean takesFromOthers(Differences pruning) {
            for (Manager manager : ownership.managers()) {
                String version = ownership.versionOf(manager);
                if (!manager.equals(self)
                        && type.others().of(version) != null
                        && FieldSets.intersection(pruning.in(version).removed(), ownership.fieldsOf(manager)) != null) {
                    return true;
                }
            }
            return false;
        }

        /** What others own and this changes. */
        SortedMap<Manager, ObjectNode> conflicts() {
            var conflicts = new TreeMap<Manager, ObjectNode>(Manager.ORDER);
            for (Manager manager : ownership.managers()) {
                ObjectNode stake = manager.equals(self)
                        ? null
                        : FieldSets.intersection(
                                ownership.fieldsOf(manager), contestedIn(ownership.versionOf(manager)));
                if (stake != null) {
                    conflicts.put(manager, stake);
                }
            }
            return conflicts;
        }

        private @Nullable ObjectNode contestedIn(String version) {
            boolean other = type.others().of(version) != null;
            return other ? differences.in(version).changed() : contested;
        }

        /** Takes what others owned and gives the merged object its managedFields. */
        ObjectNode finish() {
            for (Manager manager : ownership.managers()) {
                if (!manager.equals(self)) {
                    Comparison.Result seen = differences.in(ownership.versionOf(manager));
                    ownership.take(manager, seen.changed());
                    ownership.take(manager, seen.removed());
                }
            }
            if (!Structure.same(old, merged)) {
                ownership.stamp(self, writer.now());
            }
            if (writer.manager().equals(LastApplied.KUBECTL)) {
                LastApplied.refresh(merged, configuration);
            }
            ownership.writeTo(merged);
            return merged;
        }
    }

    // ---- times

    /**
     * Puts the former managedFields back where a write has come to nothing but new times in them, so that nothing is written.
     *
     * @param object the new state as it would be written
     */
    @SuppressWarnings("ReferenceEquality") // only saves a walk
    public static void dropIdleTimes(ObjectNode old, ObjectNode object) {
        JsonNode before = old.path("metadata").path("managedFields");
        JsonNode now = object.path("metadata").path("managedFields");
        if (before.isMissingNode()
                || before == now
                || !(object.get("metadata") instanceof ObjectNode metadata)
                || !Ownership.sameButTimes(before, now)) {
            return;
        }
        if (sameButManagedFields(old, object)) {
            metadata.set("managedFields", before);
        }
    }

    private static boolean sameButManagedFields(ObjectNode one, ObjectNode other) {
        if (one.size() != other.size()) {
            return false;
        }
        for (Map.Entry<String, JsonNode> field : one.properties()) {
            JsonNode counterpart = other.path(field.getKey());
            boolean same = field.getKey().equals("metadata")
                    ? without(field.getValue()).equals(without(counterpart))
                    : Structure.same(field.getValue(), counterpart);
            if (!same) {
                return false;
            }
        }
        return true;
    }

    private static ObjectNode without(JsonNode metadata) {
        ObjectNode copy = Json.object();
        metadata.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
        copy.remove("managedFields");
        copy.remove("resourceVersion");
        return copy;
    }
}
