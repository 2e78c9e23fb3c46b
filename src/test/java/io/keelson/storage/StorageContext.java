package io.keelson.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.Json;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;
import java.time.Duration;
import java.util.List;

/** What every theme of the contract for a {@link Storage} works with. Objects are things with a tier and a value. */
public interface StorageContext {
    /** The longest that a test waits for what a storage does by itself. */
    Duration PATIENCE = Duration.ofSeconds(30);

    SelectableFields FIELDS = SelectableFields.of(List.of("spec.value"));

    /** The storage under test, ready, and closed after the test. */
    Storage storage();

    /** The same, over the same objects, but one that waits only a moment for a revision that is yet to come. */
    Storage impatientStorage();

    /** The key of the whole resource, with its slash. */
    String prefix();

    /** Starts a watch that ends with the test. */
    WatchReader watch(String key, ListOptions options);

    /** Makes the store forget what was before a revision. */
    void compact(long revision);

    /** Lets time pass for the store's leases. A store on the real clock need do nothing: tests wait for the effect. */
    void passTime(Duration time);

    /** Whether the storage answers from a cache what need not be the most recent state. */
    boolean cached();

    /** Whether the store tells how far its watches are. */
    boolean supportsProgress();

    default String key(String name) {
        return prefix() + name;
    }

    /** A thing whose key is below the prefix: {@code namespace/name}. */
    static ObjectNode thing(String path, String tier, String value) {
        int slash = path.indexOf('/');
        ObjectNode thing = Json.object().put("apiVersion", "v1").put("kind", "Thing");
        ObjectNode metadata = thing.putObject("metadata");
        metadata.put("name", path.substring(slash + 1))
                .put("namespace", path.substring(0, slash))
                .put("uid", "uid-of-" + path);
        metadata.putObject("labels").put("tier", tier);
        thing.putObject("spec").put("value", value);
        return thing;
    }

    default ApiObject create(String path, String value) {
        return create(path, "front", value);
    }

    default ApiObject create(String path, String tier, String value) {
        return storage().create(key(path), thing(path, tier, value), 0);
    }

    default ApiObject set(String path, String value) {
        return storage()
                .guaranteedUpdate(key(path), false, Preconditions.NONE, existing -> with(existing, value), null);
    }

    default ApiObject setTier(String path, String tier) {
        return storage()
                .guaranteedUpdate(
                        key(path),
                        false,
                        Preconditions.NONE,
                        existing -> {
                            ObjectNode tree = Json.parseTrusted(existing.json());
                            tree.withObjectProperty("metadata")
                                    .withObjectProperty("labels")
                                    .put("tier", tier);
                            return Storage.Updated.of(tree);
                        },
                        null);
    }

    default ApiObject delete(String path) {
        return storage().delete(key(path), Preconditions.NONE, Storage.ValidateDeletion.NONE, null);
    }

    /** The change that sets the value. */
    static Storage.Updated with(ApiObject existing, String value) {
        ObjectNode tree = Json.parseTrusted(existing.json());
        tree.withObjectProperty("spec").put("value", value);
        return Storage.Updated.of(tree);
    }

    static String value(ApiObject object) {
        return Json.parseTrusted(object.json()).path("spec").path("value").asText();
    }

    static String path(ApiObject object) {
        return object.meta().namespace() + "/" + object.meta().name();
    }

    static SelectionPredicate tier(String tier) {
        return new SelectionPredicate(LabelSelector.parse("tier=" + tier), FieldSelector.EVERYTHING, FIELDS);
    }

    static SelectionPredicate field(String selector) {
        return new SelectionPredicate(LabelSelector.EVERYTHING, FieldSelector.parse(selector), FIELDS);
    }

    static List<String> paths(ListResult list) {
        return list.items().stream().map(StorageContext::path).toList();
    }

    /** A list of the whole resource. */
    default ListResult list(ListOptions options) {
        return storage().getList(prefix(), options);
    }

    static ListOptions atLeast(long revision) {
        return ListOptions.LATEST.withResourceVersion(revision).withMatch(ResourceVersionMatch.NOT_OLDER_THAN);
    }

    static ListOptions exactly(long revision) {
        return ListOptions.LATEST.withResourceVersion(revision).withMatch(ResourceVersionMatch.EXACT);
    }

    /** The options of a watch of what comes after a revision. */
    static ListOptions after(long revision) {
        return ListOptions.LATEST.withResourceVersion(revision);
    }
}
