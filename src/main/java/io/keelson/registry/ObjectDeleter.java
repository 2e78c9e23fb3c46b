package io.keelson.registry;

import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Deletes single objects of a resource. Each write takes the {@link Deletion} decision again on the very state that it
 * meets, so that a finalizer which a racing write was told is accepted protects. Thread-safe.
 */
final class ObjectDeleter {
    private final ResourceDefinition definition;
    private final Storage storage;
    private final Unstored unstored;

    ObjectDeleter(ResourceDefinition definition, Storage storage, Unstored unstored) {
        this.definition = definition;
        this.storage = storage;
        this.unstored = unstored;
    }

    /** Says that the state which a write met asks for another outcome than the one that was under way. */
    private static final class OtherOutcome extends RuntimeException {
        OtherOutcome() {
            super(null, null, false, false);
        }
    }

    /**
     * Deletes an object or marks it, whatever races with it.
     *
     * @throws StorageException.KeyNotFound where there is none
     * @throws StorageException.InvalidObject where the options' preconditions do not hold
     */
    RestStorage.Deleted delete(RequestContext context, String key, RestStorage.DeleteOptions options) {
        // A write judges the state that it meets, so what the cache holds is good enough to begin with.
        ApiObject cached = anyState(key);
        boolean suggested = cached != null;
        ApiObject existing = cached == null ? storage.get(key, null) : cached;
        while (true) {
            Deletion decision = decide(existing, options, context);
            try {
                switch (decision.outcome()) {
                    case REMOVE -> {
                        return remove(context, key, options, existing);
                    }
                    case MARK -> {
                        return mark(context, key, options);
                    }
                    case WAITS -> {
                        if (!suggested) {
                            options.preconditions().check(existing);
                            return new RestStorage.Deleted(existing, false);
                        }
                    }
                }
            } catch (OtherOutcome e) {
                // Judged anew below, on the state in storage.
            }
            existing = storage.get(key, null);
            suggested = false;
        }
    }

    private @Nullable ApiObject anyState(String key) {
        try {
            return storage.get(key, 0L);
        } catch (StorageException.KeyNotFound e) {
            return null;
        }
    }

    private RestStorage.Deleted remove(
            RequestContext context, String key, RestStorage.DeleteOptions options, ApiObject existing) {
        ApiObject deleted = storage.delete(
                key,
                options.preconditions(),
                // The decision is taken again on the very state that the write removes, so that a finalizer which
                // another write has put there in the meantime holds.
                object -> {
                    if (decide(object, options, context).outcome() != Deletion.Outcome.REMOVE) {
                        throw new OtherOutcome();
                    }
                },
                existing);
        definition.hooks().afterDelete(deleted);
        return new RestStorage.Deleted(
                definition.returnsDeletedObject()
                        ? unstored.of(decide(deleted, options, context).object(), deleted.resourceVersion())
                        : deleted,
                true);
    }

    private RestStorage.Deleted mark(RequestContext context, String key, RestStorage.DeleteOptions options) {
        ApiObject marked = storage.guaranteedUpdate(
                key,
                false,
                options.preconditions(),
                existing -> {
                    Deletion decision = decide(Objects.requireNonNull(existing), options, context);
                    if (decision.outcome() == Deletion.Outcome.REMOVE) {
                        throw new OtherOutcome();
                    }
                    return Storage.Updated.of(decision.object());
                },
                null);
        return new RestStorage.Deleted(marked, false);
    }

    /** What {@link #delete} would come to. */
    RestStorage.Deleted dryRun(RequestContext context, String key, RestStorage.DeleteOptions options) {
        ApiObject existing = storage.get(key, null);
        options.preconditions().check(existing);
        Deletion decision = decide(existing, options, context);
        boolean removes = decision.outcome() == Deletion.Outcome.REMOVE;
        return new RestStorage.Deleted(unstored.of(decision.object(), existing.resourceVersion()), removes);
    }

    private Deletion decide(ApiObject existing, RestStorage.DeleteOptions options, RequestContext context) {
        return Deletion.decide(definition, Json.parseTrusted(existing.json()), options, context.now());
    }
}
