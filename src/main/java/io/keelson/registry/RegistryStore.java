package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.Names;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.ResourceVersionMatch;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import java.util.ArrayList;
import java.util.List;
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
                RestStorage.Applier,
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
    private final BeforeWrite before;
    private final FieldOwnership fields;
    private final ObjectUpdater updater;
    private final ObjectDeleter deleter;
    private final RegistryStore asStored;

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
        this.before = new BeforeWrite(definition);
        this.fields = new FieldOwnership(definition);
        this.updater = new ObjectUpdater(definition, storage, admission, unstored);
        this.deleter = new ObjectDeleter(definition, storage, unstored);
        Storage stored = storage.asStored();
        this.asStored =
                stored.equals(storage) ? this : new RegistryStore(definition, stored, prefix, admission, random);
    }

    @Override
    public ResourceDefinition definition() {
        return definition;
    }

    public Storage storage() {
        return storage;
    }

    /**
     * The same objects as they are stored, for who reads their metadata only: no webhook is asked to convert them. Nothing is to
     * be written through it, since the rules of this version are not those of what is stored.
     */
    public RegistryStore asStored() {
        return asStored;
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
        ListOptions checked = checked(definition, options);
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
        ListOptions checked = checked(definition, options);
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
    static ListOptions checked(ResourceDefinition definition, ListOptions options) {
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
        ObjectNode metadata = BeforeWrite.metadataOf(object);
        definition.defaults().accept(object);
        before.matchNamespace(context, metadata);
        boolean generated = BeforeWrite.fillSystemFields(context, metadata);
        fields.create(context, object);
        for (int tries = 1; ; tries++) {
            ObjectNode attempt = generated ? object.deepCopy() : object;
            if (generated) {
                BeforeWrite.metadataOf(attempt)
                        .put(
                                "name",
                                names.generate(metadata.path("generateName").asText()));
            }
            try {
                return createOnce(context, attempt);
            } catch (StorageException.KeyExists e) {
                String taken = BeforeWrite.metadataOf(attempt).path("name").asText();
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
            before.create(context, object);
            admission.admitCreate(context, definition, object);
            String key =
                    key(context, BeforeWrite.metadataOf(object).path("name").asText());
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
    public Updated update(RequestContext context, String name, UpdatedObject updated, UpdateStrategy strategy) {
        return updater.update(context, key(context, name), name, fields.update(context, updated, strategy), strategy);
    }

    @Override
    public Updated apply(RequestContext context, String name, AppliedConfiguration applied) {
        return apply(context, name, applied, definition.strategy());
    }

    /** An apply by other rules than the resource's own: those of a subresource. */
    public Updated apply(RequestContext context, String name, AppliedConfiguration applied, UpdateStrategy strategy) {
        return updater.update(context, key(context, name), name, fields.apply(context, applied, strategy), strategy);
    }

    // ---- delete

    private void warnOfPropagation(RequestContext context, DeleteOptions options) {
        String warning = definition.strategy().propagationWarning();
        if (!warning.isEmpty() && options.propagation() == null && options.orphanDependents() == null) {
            context.warn(warning);
        }
    }

    @Override
    public Deleted delete(RequestContext context, String name, DeleteOptions options) {
        String key = key(context, name);
        admission.admitDelete(context, definition, name);
        warnOfPropagation(context, options);
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
    public ListResult deleteCollection(RequestContext context, DeleteOptions options, ListOptions selection) {
        var selected = new ArrayList<ApiObject>();
        long revision = 0;
        ListOptions page =
                selection.limit() > 0 ? selection : selection.withPage(DELETE_PAGE, selection.continueToken());
        while (true) {
            ListResult list = list(context, page);
            selected.addAll(WriteWorkers.run(list.items(), object -> deleteIfPresent(context, options, object)));
            revision = revision == 0 ? list.resourceVersion() : revision;
            if (list.continueToken().isEmpty() || selection.limit() > 0) {
                return new ListResult(selected, revision, "", null);
            }
            page = selection.withResourceVersion(null).withPage(DELETE_PAGE, list.continueToken());
        }
    }

    private @Nullable ApiObject deleteIfPresent(RequestContext context, DeleteOptions options, ApiObject object) {
        var inNamespace =
                new RequestContext(object.meta().namespace(), context.fieldManager(), context.dryRun(), context.now());
        try {
            var _ = delete(inNamespace, object.meta().name(), options);
            return object;
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
            return null;
        }
    }

    // ---- shared

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
