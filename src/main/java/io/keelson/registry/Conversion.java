package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import io.keelson.api.FieldSelector;
import io.keelson.api.FieldSelector.Requirement;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.storage.ListOptions;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Versioner;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What passes between a served version and the version that its objects are stored in. Immutable. */
record Conversion(ResourceDefinition definition, StoredVersion storedVersion, ObjectDecoder decoder) {
    Conversion(ResourceDefinition definition) {
        this(
                definition,
                Objects.requireNonNull(definition.storedAs(), "stored version"),
                new ObjectDecoder(definition.selectableFields()));
    }

    /** A stored object as this version shows it. */
    ApiObject served(ApiObject stored) {
        ObjectNode object = fromStored(Json.parseTrusted(stored.json()));
        Versioner.INSTANCE.prepareForStorage(object);
        return decoder.decode(Json.writeObject(object), stored.resourceVersion());
    }

    private ObjectNode fromStored(ObjectNode stored) {
        return typed(storedVersion.converter().fromStored(stored), definition.kind());
    }

    private ObjectNode toStored(ObjectNode served) {
        return typed(
                storedVersion.converter().toStored(served),
                storedVersion.definition().kind());
    }

    private static ObjectNode typed(ObjectNode object, GroupVersionKind kind) {
        return object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    }

    /** The request, as one that writes through this version. */
    RequestContext through(RequestContext context) {
        return context.through(definition.kind().apiVersion());
    }

    /** A new object in its stored version, filled in and judged by the rules of this version. */
    ObjectNode toCreate(RequestContext context, ObjectNode served) {
        definition.defaults().accept(served);
        failIfInvalid(served, definition.strategy().validate(context, served));
        return toStored(served);
    }

    RestStorage.Updated update(
            RestStorage.Updater updater, RequestContext context, String name, RestStorage.UpdatedObject updated) {
        RestStorage.Updated result =
                updater.update(through(context), name, existing -> changed(context, updated, existing));
        return new RestStorage.Updated(served(result.object()), result.created());
    }

    /** Applies a configuration in the stored version, which is the one whose fields have owners. */
    RestStorage.Updated apply(
            RestStorage.Applier applier,
            RequestContext context,
            String name,
            RestStorage.AppliedConfiguration applied) {
        ObjectNode stored = toStored(applied.object().deepCopy());
        var configuration = new RestStorage.AppliedConfiguration(stored, applied.force());
        RestStorage.Updated result = applier.apply(through(context), name, configuration);
        return new RestStorage.Updated(served(result.object()), result.created());
    }

    private ObjectNode changed(
            RequestContext context, RestStorage.UpdatedObject updated, @Nullable ObjectNode existing) {
        if (existing == null) {
            return toCreate(context, updated.apply(null));
        }
        ObjectNode old = fromStored(existing);
        ObjectNode object = updated.apply(old.deepCopy());
        definition.defaults().accept(object);
        failIfInvalid(object, definition.strategy().validateUpdate(context, object, old));
        return toStored(object);
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

    /** The same selection by the fields of the stored version. */
    ListOptions stored(ListOptions options) {
        SelectionPredicate predicate =
                RegistryStore.checked(definition, options).predicate();
        FieldSelector fields = FieldSelector.of(predicate.fields().requirements().stream()
                .map(one -> new Requirement(
                        storedVersion.fields().getOrDefault(one.field(), one.field()), one.equal(), one.value()))
                .toList());
        return options.withPredicate(new SelectionPredicate(predicate.labels(), fields, predicate.selectable()));
    }
}
