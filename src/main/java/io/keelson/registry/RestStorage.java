package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.GroupVersionKind;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.Watch;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What serves a resource or subresource: an object that has the verbs which the nested interfaces name. The endpoints
 * look which ones it has, and answer 405 to the others. Named after {@code rest.Storage} of kubernetes/apiserver.
 * Thread-safe; all verbs throw {@link io.keelson.api.ApiException} and {@link io.keelson.storage.StorageException}.
 */
public interface RestStorage {
    /** The resource that this serves, or that it is a part of. */
    ResourceDefinition definition();

    /** The kind that the path takes and gives: the resource's own, but for some subresources. */
    default GroupVersionKind kind() {
        return definition().kind();
    }

    /** Serves GET of one object. */
    interface Getter extends RestStorage {
        /** @param minimumRevision null for the most recent state, 0 for any */
        ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision);
    }

    /** Serves GET of a collection. */
    interface Lister extends RestStorage {
        ListResult list(RequestContext context, ListOptions options);
    }

    /** Serves watches, of a collection or of one object. */
    interface Watcher extends RestStorage {
        /** @param name the one object to watch, empty for the collection */
        Watch watch(RequestContext context, String name, ListOptions options);

        /** The revision of the latest write to the store: a watch from a later one waits for it to come. */
        long currentResourceVersion();
    }

    /** Serves POST. */
    interface Creater extends RestStorage {
        /** @param name of the path, empty where the object names itself */
        ApiObject create(RequestContext context, String name, ObjectNode object);
    }

    /** Serves POST of what is carried out rather than kept, such as an eviction; its answer is a Status. */
    interface Performer extends RestStorage {
        /** @param name of the path, empty where the object names itself */
        void perform(RequestContext context, String name, ObjectNode object);
    }

    /** Serves whatever connects a client to what runs: logs, shells, proxies. Named after {@code rest.Connecter}. */
    interface Connecter extends RestStorage {
        /** The HTTP methods that are served. */
        Set<String> methods();

        /** Ends with an exception, since nothing runs here. */
        void connect(RequestContext context, String name);
    }

    /** Makes the new state of an object: a PUT's body, or a patch of the present state. */
    @FunctionalInterface
    interface UpdatedObject {
        /** @param existing the present state, the caller's own to change; null where there is none */
        ObjectNode apply(@Nullable ObjectNode existing);
    }

    /** What an update came to. */
    record Updated(ApiObject object, boolean created) {}

    /** Serves PUT, and PATCH where it is a {@link Getter} too. */
    interface Updater extends RestStorage {
        Updated update(RequestContext context, String name, UpdatedObject updated);
    }

    /**
     * A configuration for server-side apply: the fields that its manager wants to own.
     *
     * @param object not to be changed
     * @param force whether fields are taken from other managers
     */
    record AppliedConfiguration(ObjectNode object, boolean force) {}

    /** Serves PATCH by server-side apply. */
    interface Applier extends RestStorage {
        Updated apply(RequestContext context, String name, AppliedConfiguration applied);
    }

    /**
     * How an object is to be deleted.
     *
     * @param gracePeriodSeconds null leaves it to the kind
     * @param propagation null leaves it to the object and its kind
     * @param orphanDependents the older form of {@code propagation}; null where not given
     */
    record DeleteOptions(
            @Nullable Long gracePeriodSeconds,
            @Nullable PropagationPolicy propagation,
            @Nullable Boolean orphanDependents,
            Preconditions preconditions) {
        public static final DeleteOptions NONE = new DeleteOptions(null, null, null, Preconditions.NONE);
    }

    /**
     * What a deletion came to.
     *
     * @param object the last state, or the state that waits for its end
     * @param deleted whether it is gone
     */
    record Deleted(ApiObject object, boolean deleted) {}

    /** Serves DELETE of one object. */
    interface GracefulDeleter extends RestStorage {
        Deleted delete(RequestContext context, String name, DeleteOptions options);
    }

    /** Serves DELETE of a collection. */
    interface CollectionDeleter extends RestStorage {
        /** Deletes what the list options select, and returns the list of it as it was. Not atomic. */
        ListResult deleteCollection(RequestContext context, DeleteOptions options, ListOptions selection);
    }
}
