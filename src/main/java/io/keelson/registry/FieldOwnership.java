package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.patch.apply.FieldManager;
import io.keelson.patch.apply.ObjectType;
import io.keelson.patch.apply.Scope;
import io.keelson.patch.apply.Writer;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Decoder;
import io.keelson.schema.MalformedObjectException;
import io.keelson.schema.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives the objects of a resource their managedFields, for each verb that writes. Immutable and thread-safe.
 *
 * <p>As in kube-apiserver this happens before the strategy does its part, so that what the server fills in beyond defaults
 * belongs to nobody.
 */
record FieldOwnership(ResourceDefinition definition) {
    private FieldManager manager(boolean status) {
        Schema schema = definition.schema();
        boolean builtin =
                schema != null && !definition.isCustom() && schema.equals(BuiltinSchemas.of(definition.kind()));
        Scope scope = !definition.hasStatus() ? Scope.WHOLE : status ? Scope.STATUS : Scope.WITHOUT_STATUS;
        return new FieldManager(
                new ObjectType(definition.kind(), schema, builtin, definition.otherVersions()), scope, this::complete);
    }

    /**
     * Brings what an apply has merged into the form in which its kind is stored, defaults included.
     *
     * @throws ApiException 400 where a value is not of its field's form, such as a quantity that is none
     */
    private void complete(ObjectNode merged) {
        Schema schema = definition.schema();
        if (schema != null && !definition.isCustom()) {
            try {
                var _ = Decoder.decode(schema, merged, List.of());
            } catch (MalformedObjectException e) {
                throw ApiException.badRequest(definition.kind().kind() + " cannot be applied: " + e.getMessage());
            }
        }
        definition.defaults().accept(merged);
    }

    private Writer writer(RequestContext context, String subresource) {
        String version = context.apiVersion().isEmpty() ? definition.kind().apiVersion() : context.apiVersion();
        return new Writer(context.fieldManager(), version, subresource, context.now());
    }

    /** @param object a new object with its defaults */
    void create(RequestContext context, ObjectNode object) {
        update(context, null, object, definition.strategy());
    }

    private void update(RequestContext context, @Nullable ObjectNode old, ObjectNode object, UpdateStrategy strategy) {
        OwnedFieldNames names = definition.ownedFieldNames();
        ObjectNode stored = names.toStored(object);
        manager(strategy.writesStatus())
                .update(old == null ? null : names.toStored(old), stored, writer(context, strategy.subresource()));
        object.setAll(names.fromStored(stored));
    }

    /** What a replacement or a patch makes of an object. */
    NewState update(RequestContext context, RestStorage.UpdatedObject updated, UpdateStrategy strategy) {
        return new NewState() {
            @Override
            public ObjectNode of(@Nullable ObjectNode old) {
                ObjectNode object = updated.apply(old == null ? null : old.deepCopy());
                definition.defaults().accept(object);
                if (strategy.tracksOwnership()) {
                    update(context, old, object, strategy);
                }
                return object;
            }

            @Override
            public boolean mayCreate() {
                return false;
            }
        };
    }

    /** What server-side apply makes of an object. */
    NewState apply(RequestContext context, RestStorage.AppliedConfiguration applied, UpdateStrategy strategy) {
        String subresource = strategy.subresource();
        return new NewState() {
            @Override
            public ObjectNode of(@Nullable ObjectNode old) {
                if (old == null) {
                    checkIdentity(applied.object());
                }
                OwnedFieldNames names = definition.ownedFieldNames();
                ObjectNode merged = manager(strategy.writesStatus())
                        .apply(
                                old == null ? null : names.toStored(old),
                                applied.object(),
                                writer(context, subresource),
                                applied.force());
                return names.fromStored(merged);
            }

            @Override
            public boolean mayCreate() {
                return subresource.isEmpty();
            }
        };
    }

    /** A configuration that creates an object must name it, and cannot say whose object it expects. */
    private void checkIdentity(ObjectNode configuration) {
        String uid = configuration.path("metadata").path("uid").asText();
        String name = configuration.path("metadata").path("name").asText();
        if (name.isEmpty()) {
            throw ApiException.badRequest("the name of the object was undeterminable: name must be provided");
        }
        if (!uid.isEmpty()) {
            throw ApiException.of(
                    StatusReason.CONFLICT,
                    "Operation cannot be fulfilled on " + definition.resource() + " \"" + name
                            + "\": uid mismatch: the provided object specified uid " + uid
                            + ", and no existing object was found",
                    Status.Details.of(definition.resource(), name));
        }
    }
}
