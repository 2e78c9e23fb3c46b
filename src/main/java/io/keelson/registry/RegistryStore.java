package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import io.keelson.api.FieldSelector;
import io.keelson.api.Json;
import io.keelson.api.Names;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import io.keelson.storage.Versioner;
import io.keelson.storage.Watch;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The registry Store: the verbs of a resource over any {@link Storage}, by the rules that its {@link ResourceDefinition}
 * declares. What every kind has in common (metadata, names, versions, finalizers, hooks, dry run) is here and nowhere
 * else. Thread-safe.
 */
public final class RegistryStore
        implements RestStorage.Getter,
                RestStorage.Lister,
                RestStorage.Watcher,
                RestStorage.Creater,
                RestStorage.Updater,
                RestStorage.GracefulDeleter,
                RestStorage.CollectionDeleter {
    /** How often a generated name that is taken is replaced by another. */
    private static final int MAX_NAME_TRIES = 8;

    /** After how many seconds a client may try again that got no name. */
    private static final int RETRY_NAME_SECONDS = 1;

    /** How many objects a collection deletion reads at a time. */
    private static final int DELETE_PAGE = 10_000;

    private final ResourceDefinition definition;
    private final Storage storage;
    private final String prefix;
    private final Admission admission;
    private final GeneratedNames names;
    private final Unstored unstored;
    private final ObjectDeleter deleter;

    /** @param prefix where the resource's keys begin, with a slash at its end */
    public RegistryStore(
            ResourceDefinition definition,
            Storage storage,
            String prefix,
            Admission admission,
            RandomGenerator random) {
        this.definition = definition;
        this.storage = storage;
        this.prefix = prefix;
        this.admission = admission;
        this.names = new GeneratedNames(random);
        this.unstored = new Unstored(new ObjectDecoder(definition.selectableFields()));
        this.deleter = new ObjectDeleter(definition, storage, unstored);
    }

    @Override
    public ResourceDefinition definition() {
        return definition;
    }

    public Storage storage() {
        return storage;
    }

    // ---- reads

    @Override
    public ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision) {
        try {
            return storage.get(key(context, name), minimumRevision);
        } catch (StorageException.KeyNotFound e) {
            throw ApiException.notFound(definition.resource(), name);
        }
    }

    @Override
    public ListResult list(RequestContext context, ListOptions options) {
        ListOptions checked = checked(options);
        String name = checked.predicate().fields().requiredValue("metadata.name");
        if (name != null && options.continueToken().isEmpty() && singleKey(context, name) && readsPresent(options)) {
            return storage.getList(key(context, name), checked);
        }
        return storage.getList(collectionKey(context, checked), checked);
    }

    private static boolean readsPresent(ListOptions options) {
        return options.match() != ResourceVersionMatch.EXACT
                && (options.resourceVersion() == null || options.resourceVersion() == 0 || options.limit() == 0);
    }

    @Override
    public Watch watch(RequestContext context, String name, ListOptions options) {
        ListOptions checked = checked(options);
        String only = name.isEmpty() ? checked.predicate().fields().requiredValue("metadata.name") : name;
        if (only != null && singleKey(context, only)) {
            return storage.watch(key(context, only), checked);
        }
        return storage.watch(collectionKey(context, checked), checked);
    }

    @Override
    public long currentResourceVersion() {
        return storage.currentResourceVersion();
    }

    /** Whether a name, given the request's namespace, makes one key. Names that break the rules match nothing. */
    private boolean singleKey(RequestContext context, String name) {
        return definition.namespaced() != context.namespace().isEmpty()
                && definition.nameRule().apply(name).isEmpty();
    }

    /** Checks that the resource can be selected by the fields that a selector names, and binds the two. */
    private ListOptions checked(ListOptions options) {
        SelectionPredicate predicate = options.predicate();
        for (FieldSelector.Requirement requirement : predicate.fields().requirements()) {
            String field = requirement.field();
            if (!field.equals("metadata.name")
                    && !field.equals("metadata.namespace")
                    && definition.selectableFields().index(field) < 0) {
                throw ApiException.badRequest("\"" + field + "\" is not a known field selector: only \"metadata.name\","
                        + " \"metadata.namespace\""
                        + String.join(
                                "",
                                definition.selectableFields().paths().stream()
                                        .map(path -> ", \"" + path + "\"")
                                        .toList()));
            }
        }
        return options.withPredicate(
                new SelectionPredicate(predicate.labels(), predicate.fields(), definition.selectableFields()));
    }

    // ---- create

    @Override
    public ApiObject create(RequestContext context, String name, ObjectNode object) {
        ObjectNode metadata = metadataOf(object);
        definition.defaults().accept(object);
        matchNamespace(context, metadata);
        boolean generated = fillSystemFields(context, metadata);
        for (int tries = 1; ; tries++) {
            ObjectNode attempt = generated ? object.deepCopy() : object;
            if (generated) {
                metadataOf(attempt)
                        .put(
                                "name",
                                names.generate(metadata.path("generateName").asText()));
            }
            try {
                return createOnce(context, attempt);
            } catch (StorageException.KeyExists e) {
                String taken = metadataOf(attempt).path("name").asText();
                if (!generated) {
                    throw alreadyExists(context, taken);
                }
                if (tries == MAX_NAME_TRIES) {
                    throw noNameFound(taken);
                }
            }
        }
    }

    private ApiObject createOnce(RequestContext context, ObjectNode object) {
        Hooks.Finish finish = definition.hooks().beginCreate(context, object);
        boolean success = false;
        try {
            beforeCreate(context, object);
            admission.admitCreate(context, definition, object);
            String key = key(context, metadataOf(object).path("name").asText());
            if (context.dryRun()) {
                requireAbsent(key);
                return unstored.of(object, 0);
            }
            ApiObject created =
                    storage.create(key, object, definition.ttlSeconds().applyAsLong(object));
            success = true;
            definition.hooks().afterCreate(created);
            return created;
        } finally {
            finish.finish(success);
        }
    }

    private void beforeCreate(RequestContext context, ObjectNode object) {
        Strategy strategy = definition.strategy();
        strategy.prepareForCreate(context, object);
        var errors = new ArrayList<>(MetadataRules.validate(metadataOf(object), definition));
        errors.addAll(strategy.validate(context, object));
        failIfInvalid(object, errors);
        strategy.canonicalize(object);
    }

    private void matchNamespace(RequestContext context, ObjectNode metadata) {
        if (!definition.namespaced()) {
            metadata.remove("namespace");
            return;
        }
        String given = metadata.path("namespace").asText();
        if (given.isEmpty()) {
            metadata.put("namespace", context.namespace());
        } else if (!given.equals(context.namespace())) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
    }

    /** Returns whether the name is to be generated. */
    private static boolean fillSystemFields(RequestContext context, ObjectNode metadata) {
        metadata.remove(List.of("selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"));
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put(
                "creationTimestamp",
                context.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return metadata.path("name").asText().isEmpty()
                && !metadata.path("generateName").asText().isEmpty();
    }

    private void requireAbsent(String key) {
        try {
            storage.get(key, null);
        } catch (StorageException.KeyNotFound e) {
            return;
        }
        throw new StorageException.KeyExists(key);
    }

    private ApiException alreadyExists(RequestContext context, String name) {
        try {
            if (storage.get(key(context, name), null).meta().beingDeleted()) {
                return ApiException.of(
                        StatusReason.ALREADY_EXISTS,
                        "object is being deleted: " + definition.resource() + " \"" + name + "\" already exists",
                        Status.Details.of(definition.resource(), name));
            }
        } catch (StorageException e) {
            // It was there when the write failed; that it has gone since changes nothing in the answer.
            return ApiException.alreadyExists(definition.resource(), name);
        }
        return ApiException.alreadyExists(definition.resource(), name);
    }

    private ApiException noNameFound(String lastTried) {
        return ApiException.of(
                StatusReason.ALREADY_EXISTS,
                definition.resource() + " \"" + lastTried
                        + "\" already exists, the server was not able to generate a unique name for the object",
                Status.Details.of(definition.resource(), lastTried).withRetryAfter(RETRY_NAME_SECONDS));
    }

    // ---- update

    @Override
    public Updated update(RequestContext context, String name, UpdatedObject updated) {
        return update(context, name, updated, definition.strategy());
    }

    /** An update by other rules than the resource's own: those of a subresource. */
    Updated update(RequestContext context, String name, UpdatedObject updated, UpdateStrategy strategy) {
        String key = key(context, name);
        while (true) {
            var attempt = new UpdateAttempt(context, name, updated, strategy);
            try {
                return updateOnce(context, key, attempt);
            } catch (LastFinalizerGone e) {
                if (context.dryRun() || removeAfterUpdate(key, e)) {
                    return new Updated(unstored.of(e.object, e.revision), false);
                }
                // Another write came between; the update is made anew on what is there now.
            } catch (StorageException.KeyNotFound e) {
                throw ApiException.notFound(definition.resource(), name);
            } finally {
                attempt.finish.finish(attempt.succeeded);
            }
        }
    }

    private Updated updateOnce(RequestContext context, String key, UpdateAttempt attempt) {
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
        return new Updated(object, attempt.creating);
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
        private final UpdatedObject updated;
        private final UpdateStrategy strategy;
        private Hooks.Finish finish = Hooks.Finish.NOTHING;
        private boolean creating;
        private boolean succeeded;

        UpdateAttempt(RequestContext context, String name, UpdatedObject updated, UpdateStrategy strategy) {
            this.strategy = strategy;
            this.context = context;
            this.name = name;
            this.updated = updated;
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
            ObjectNode object = updated.apply(old == null ? null : old.deepCopy());
            ObjectNode metadata = metadataOf(object);
            definition.defaults().accept(object);
            matchNamespace(context, metadata);
            matchName(metadata);
            if (existing == null || old == null) {
                return createInstead(object);
            }
            creating = false;
            checkVersion(object, existing);
            beforeUpdate(object, old);
            finish = definition.hooks().beginUpdate(context, object, old);
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
            if (!strategy.allowCreateOnUpdate()) {
                throw ApiException.notFound(definition.resource(), name);
            }
            if (Versioner.INSTANCE.resourceVersion(object) != 0) {
                throw conflict(name);
            }
            creating = true;
            fillSystemFields(context, metadataOf(object));
            finish = definition.hooks().beginCreate(context, object);
            beforeCreate(context, object);
            admission.admitCreate(context, definition, object);
            return new Storage.Updated(object, definition.ttlSeconds().applyAsLong(object));
        }

        private void checkVersion(ObjectNode object, ApiObject existing) {
            long given = Versioner.INSTANCE.resourceVersion(object);
            if (given == 0) {
                if (!strategy.allowUnconditionalUpdate()) {
                    failIfInvalid(
                            object,
                            List.of(FieldError.invalid(
                                    "metadata.resourceVersion", "", "must be specified for an update")));
                }
            } else if (given != existing.resourceVersion()) {
                throw conflict(name);
            }
        }

        private void beforeUpdate(ObjectNode object, ObjectNode old) {
            ObjectNode metadata = metadataOf(object);
            ObjectNode oldMetadata = metadataOf(old);
            keep(
                    oldMetadata,
                    metadata,
                    "generation",
                    "deletionTimestamp",
                    "deletionGracePeriodSeconds",
                    "creationTimestamp");
            if (metadata.path("uid").asText().isEmpty()) {
                keep(oldMetadata, metadata, "uid");
            }
            metadata.remove("selfLink");
            strategy.prepareForUpdate(context, object, old);
            ObjectNode prepared = metadataOf(object);
            var errors = new ArrayList<>(MetadataRules.validate(prepared, definition));
            errors.addAll(MetadataRules.validateUpdate(prepared, oldMetadata));
            errors.addAll(strategy.validateUpdate(context, object, old));
            failIfInvalid(object, errors);
            strategy.canonicalize(object);
        }

        private boolean nothingHolds(ObjectNode object) {
            ObjectNode metadata = metadataOf(object);
            return metadata.hasNonNull("deletionTimestamp")
                    && metadata.path("deletionGracePeriodSeconds").asLong() == 0
                    && metadata.path("finalizers").isEmpty()
                    && !definition.strategy().holdsDeletion(object);
        }
    }

    // ---- delete

    @Override
    public Deleted delete(RequestContext context, String name, DeleteOptions options) {
        String key = key(context, name);
        admission.admitDelete(context, definition, name);
        try {
            return context.dryRun() ? deleter.dryRun(context, key, options) : deleter.delete(context, key, options);
        } catch (StorageException.KeyNotFound e) {
            throw ApiException.notFound(definition.resource(), name);
        } catch (StorageException.InvalidObject e) {
            throw ApiException.of(
                    StatusReason.CONFLICT,
                    "Operation cannot be fulfilled on " + definition.kind().kind() + " \"" + name + "\": "
                            + e.getMessage(),
                    new Status.Details(
                            name, definition.kind().group(), definition.kind().kind(), "", List.of(), 0));
        }
    }

    @Override
    public List<ApiObject> deleteCollection(RequestContext context, DeleteOptions options, ListOptions selection) {
        var deleted = new ArrayList<ApiObject>();
        ListOptions page =
                selection.limit() > 0 ? selection : selection.withPage(DELETE_PAGE, selection.continueToken());
        while (true) {
            ListResult list = list(context, page);
            for (ApiObject object : list.items()) {
                var inNamespace = new RequestContext(
                        object.meta().namespace(), context.fieldManager(), context.dryRun(), context.now());
                try {
                    deleted.add(
                            delete(inNamespace, object.meta().name(), options).object());
                } catch (ApiException e) {
                    if (e.status().reason() != StatusReason.NOT_FOUND) {
                        throw e;
                    }
                }
            }
            if (list.continueToken().isEmpty() || selection.limit() > 0) {
                return deleted;
            }
            page = selection.withResourceVersion(null).withPage(DELETE_PAGE, list.continueToken());
        }
    }

    // ---- shared

    private ApiException conflict(String name) {
        return ApiException.conflict(
                definition.resource(),
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    private void failIfInvalid(ObjectNode object, List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw ApiException.invalid(
                    definition.kind().group(),
                    definition.kind().kind(),
                    object.path("metadata").path("name").asText(),
                    errors);
        }
    }

    private static void keep(ObjectNode from, ObjectNode to, String... fields) {
        for (String field : fields) {
            BasicStrategy.copy(from, to, field);
        }
    }

    private static ObjectNode metadataOf(ObjectNode object) {
        JsonNode metadata = object.get("metadata");
        if (metadata == null || metadata.isNull()) {
            return object.putObject("metadata");
        }
        if (metadata instanceof ObjectNode node) {
            return node;
        }
        throw ApiException.badRequest("metadata must be an object, not " + metadata.getNodeType());
    }

    /** The key of one object. */
    private String key(RequestContext context, String name) {
        if (name.indexOf('/') >= 0 || context.namespace().indexOf('/') >= 0) {
            // An escaped slash in a path; no object has such a name, and a key of it would mean another object.
            throw ApiException.notFound(definition.resource(), name);
        }
        if (!definition.namespaced()) {
            return prefix + name;
        }
        if (context.namespace().isEmpty()) {
            throw ApiException.badRequest("namespace must be given for " + definition.resource());
        }
        return prefix + context.namespace() + "/" + name;
    }

    private String collectionKey(RequestContext context, ListOptions options) {
        if (!definition.namespaced()) {
            return prefix;
        }
        String namespace = context.namespace();
        if (namespace.isEmpty()) {
            String selected = options.predicate().fields().requiredValue("metadata.namespace");
            namespace = selected != null && Names.label(selected).isEmpty() ? selected : "";
        }
        return namespace.isEmpty() ? prefix : prefix + namespace + "/";
    }
}
