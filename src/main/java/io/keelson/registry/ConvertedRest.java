package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Watch;
import org.jspecify.annotations.Nullable;

/**
 * Serves a version of a resource over the registry Store of the version that its objects are stored in: what goes in and out
 * is converted, all else is the Store's. The stored version keeps its bytes; each object that this version shows is parsed
 * and written anew. Thread-safe.
 */
public final class ConvertedRest
        implements RestStorage.Getter,
                RestStorage.Lister,
                RestStorage.Watcher,
                RestStorage.Creater,
                RestStorage.Updater,
                RestStorage.Applier,
                RestStorage.GracefulDeleter,
                RestStorage.CollectionDeleter {
    private final RegistryStore store;
    private final Conversion conversion;

    /**
     * @param definition of the served version; it says how the version is stored
     * @param store of the stored version
     */
    public ConvertedRest(ResourceDefinition definition, RegistryStore store) {
        this.store = store;
        this.conversion = new Conversion(definition);
    }

    /** Serves a subresource of the stored version in the served one. */
    public static <P extends RestStorage.Getter & RestStorage.Updater & RestStorage.Applier> RestStorage part(
            ResourceDefinition definition, P part) {
        return new ConvertedPart(definition, part, part, part);
    }

    @Override
    public ResourceDefinition definition() {
        return conversion.definition();
    }

    @Override
    public ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision) {
        return conversion.served(store.get(context, name, minimumRevision));
    }

    @Override
    public ListResult list(RequestContext context, ListOptions options) {
        return served(store.list(context, conversion.stored(options)));
    }

    private ListResult served(ListResult stored) {
        return new ListResult(
                stored.items().stream().map(conversion::served).toList(),
                stored.resourceVersion(),
                stored.continueToken(),
                stored.remainingItemCount());
    }

    @Override
    public Watch watch(RequestContext context, String name, ListOptions options) {
        return new ConvertedWatch(store.watch(context, name, conversion.stored(options)), conversion);
    }

    @Override
    public long currentResourceVersion() {
        return store.currentResourceVersion();
    }

    @Override
    public ApiObject create(RequestContext context, String name, ObjectNode object) {
        ObjectNode stored = conversion.toCreate(context, object);
        return conversion.served(store.create(conversion.through(context), name, stored));
    }

    @Override
    public Updated update(RequestContext context, String name, UpdatedObject updated) {
        return conversion.update(store, context, name, updated);
    }

    @Override
    public Updated apply(RequestContext context, String name, AppliedConfiguration applied) {
        return conversion.apply(store, context, name, applied);
    }

    @Override
    public Deleted delete(RequestContext context, String name, DeleteOptions options) {
        Deleted deleted = store.delete(context, name, options);
        return new Deleted(conversion.served(deleted.object()), deleted.deleted());
    }

    @Override
    public ListResult deleteCollection(RequestContext context, DeleteOptions options, ListOptions selection) {
        return served(store.deleteCollection(context, options, conversion.stored(selection)));
    }

    /** A subresource whose objects are whole ones, such as the status. */
    private static final class ConvertedPart implements Getter, Updater, Applier {
        private final Conversion conversion;
        private final Getter getter;
        private final Updater updater;
        private final Applier applier;

        ConvertedPart(ResourceDefinition definition, Getter getter, Updater updater, Applier applier) {
            this.conversion = new Conversion(definition);
            this.getter = getter;
            this.updater = updater;
            this.applier = applier;
        }

        @Override
        public ResourceDefinition definition() {
            return conversion.definition();
        }

        @Override
        public ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision) {
            return conversion.served(getter.get(context, name, minimumRevision));
        }

        @Override
        public Updated update(RequestContext context, String name, UpdatedObject updated) {
            return conversion.update(updater, context, name, updated);
        }

        @Override
        public Updated apply(RequestContext context, String name, AppliedConfiguration applied) {
            return conversion.apply(applier, context, name, applied);
        }
    }
}
