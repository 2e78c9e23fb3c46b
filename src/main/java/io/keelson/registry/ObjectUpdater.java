package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.patch.apply.FieldManager;
import io.keelson.storage.Preconditions;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import io.keelson.storage.Versioner;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Updates single objects of a resource, or creates them where the kind allows that. An update that leaves nothing to hold
 * back an object which is being deleted removes it. Thread-safe.
 */
final class ObjectUpdater {
    private final ResourceDefinition definition;
    private final Storage storage;
    private final Admission admission;
    private final Unstored unstored;
    private final BeforeWrite before;

    ObjectUpdater(ResourceDefinition definition, Storage storage, Admission admission, Unstored unstored) {
        this.definition = definition;
        this.storage = storage;
        this.admission = admission;
        this.unstored = unstored;
        this.before = new BeforeWrite(definition);
    }

    /** @param strategy the resource's own rules, or those of a subresource */
    RestStorage.Updated update(
            RequestContext context, String key, String name, NewState newState, UpdateStrategy strategy) {
        while (true) {
            var attempt = new UpdateAttempt(context, name, newState, strategy);
            try {
                return updateOnce(context, key, attempt);
            } catch (LastFinalizerGone e) {
                if (context.dryRun() || removeAfterUpdate(key, e)) {
                    return new RestStorage.Updated(unstored.of(e.object, e.revision), false);
                }
                // Another write came between; the update is made anew on what is there now.
            } catch (StorageException.KeyNotFound e) {
                throw ApiException.notFound(definition.resource(), name);
            } finally {
                attempt.finish.finish(attempt.succeeded);
            }
        }
    }

    private RestStorage.Updated updateOnce(RequestContext context, String key, UpdateAttempt attempt) {
        if (context.dryRun()) {
            return attempt.dryRun(readOrNull(key));
        }
        ApiObject object = storage.guaranteedUpdate(key, true, Preconditions.NONE, attempt, null);
        attempt.succeeded = true;
        if (attempt.creating) {
            definition.hooks().afterCreate(object);
        } else {
            definition.hooks().afterUpdate(object);
        }
        return new RestStorage.Updated(object, attempt.creating);
    }

    private @Nullable ApiObject readOrNull(String key) {
        try {
            return storage.get(key, null);
        } catch (StorageException.KeyNotFound e) {
            return null;
        }
    }

    /** Ends an update whose result is that nothing holds an object back that is being deleted. */
    private static final class LastFinalizerGone extends RuntimeException {
        private final transient ApiObject existing;
        private final transient ObjectNode object;

        /** The revision that the answer shows: the object's last, or that of its deletion. */
        private long revision;

        LastFinalizerGone(ApiObject existing, ObjectNode object) {
            super(null, null, false, false);
            this.existing = existing;
            this.object = object;
            this.revision = existing.resourceVersion();
        }
    }

    /** Returns whether the object is gone; not where another write has changed it. */
    private boolean removeAfterUpdate(String key, LastFinalizerGone update) {
        var exactly = new Preconditions(update.existing.meta().uid(), update.revision);
        try {
            ApiObject deleted = storage.delete(key, exactly, Storage.ValidateDeletion.NONE, update.existing);
            definition.hooks().afterDelete(deleted);
            update.revision = deleted.resourceVersion();
            return true;
        } catch (StorageException.KeyNotFound e) {
            // Of several updates that release an object each has done what it was asked for.
            return true;
        } catch (StorageException.InvalidObject e) {
            return false;
        }
    }

    /** One update, called again with each fresher state that a race brings. */
    private final class UpdateAttempt implements Storage.TryUpdate {
        private final RequestContext context;
        private final String name;
        private final NewState newState;
        private final UpdateStrategy strategy;
        private Hooks.Finish finish = Hooks.Finish.NOTHING;
        private boolean creating;
        private boolean succeeded;

        UpdateAttempt(RequestContext context, String name, NewState newState, UpdateStrategy strategy) {
            this.strategy = strategy;
            this.context = context;
            this.name = name;
            this.newState = newState;
        }

        RestStorage.Updated dryRun(@Nullable ApiObject existing) {
            ObjectNode object = update(existing).object();
            return new RestStorage.Updated(
                    unstored.of(object, existing == null ? 0 : existing.resourceVersion()), creating);
        }

        @Override
        public Storage.Updated update(@Nullable ApiObject existing) {
            finish.finish(false);
            finish = Hooks.Finish.NOTHING;
            ObjectNode old = existing == null ? null : Json.parseTrusted(existing.json());
            ObjectNode object = newState.of(old);
            ObjectNode metadata = BeforeWrite.metadataOf(object);
            before.matchNamespace(context, metadata);
            matchName(metadata);
            if (existing == null || old == null) {
                return createInstead(object);
            }
            creating = false;
            checkVersion(object, existing);
            before.update(context, object, old, strategy);
            finish = definition.hooks().beginUpdate(context, object, old);
            FieldManager.dropIdleTimes(old, object);
            if (nothingHolds(object)) {
                throw new LastFinalizerGone(existing, object);
            }
            return new Storage.Updated(object, definition.ttlSeconds().applyAsLong(object));
        }

        private void matchName(ObjectNode metadata) {
            String given = metadata.path("name").asText();
            if (given.isEmpty()) {
                metadata.put("name", name);
            } else if (!given.equals(name)) {
                throw ApiException.badRequest(
                        "the name of the object (" + given + ") does not match the name on the URL (" + name + ")");
            }
        }

        private Storage.Updated createInstead(ObjectNode object) {
            if (!newState.mayCreate() && !strategy.allowCreateOnUpdate()) {
                throw ApiException.notFound(definition.resource(), name);
            }
            if (Versioner.INSTANCE.resourceVersion(object) != 0) {
                throw before.conflict(name);
            }
            creating = true;
            BeforeWrite.fillSystemFields(context, BeforeWrite.metadataOf(object));
            finish = definition.hooks().beginCreate(context, object);
            before.create(context, object);
            admission.admitCreate(context, definition, object);
            return new Storage.Updated(object, definition.ttlSeconds().applyAsLong(object));
        }

        private void checkVersion(ObjectNode object, ApiObject existing) {
            long given = Versioner.INSTANCE.resourceVersion(object);
            if (given == 0) {
                if (!strategy.allowUnconditionalUpdate()) {
                    // Kube-apiserver names the resource where all other faults name the kind.
                    throw ApiException.invalid(
                            definition.kind().group(),
                            definition.plural(),
                            name,
                            List.of(FieldError.invalid(
                                    "metadata.resourceVersion", 0, "must be specified for an update")));
                }
            } else if (given != existing.resourceVersion()) {
                throw before.conflict(name);
            }
        }

        private boolean nothingHolds(ObjectNode object) {
            ObjectNode metadata = BeforeWrite.metadataOf(object);
            return metadata.hasNonNull("deletionTimestamp")
                    && metadata.path("deletionGracePeriodSeconds").asLong() == 0
                    && metadata.path("finalizers").isEmpty()
                    && !definition.strategy().holdsDeletion(object);
        }
    }
}
