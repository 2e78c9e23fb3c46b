package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.schema.AllowedValues;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What happens to an object of a resource before it is written, whatever the verb: its metadata is filled in or restored,
 * its strategy prepares and judges it. Immutable and thread-safe.
 */
record BeforeWrite(ResourceDefinition definition) {
    /** Prepares and judges a new object. */
    void create(RequestContext context, ObjectNode object) {
        Strategy strategy = definition.strategy();
        strategy.prepareForCreate(context, object);
        var errors = new ArrayList<>(MetadataRules.validate(metadataOf(object), definition));
        errors.addAll(strategy.validate(context, object));
        AllowedValues.check(definition.schema(), object, errors);
        failIfInvalid(object, errors);
        strategy.canonicalize(object);
    }

    void matchNamespace(RequestContext context, ObjectNode metadata) {
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

    /** Gives a new object its identity. Returns whether the name is to be generated. */
    static boolean fillSystemFields(RequestContext context, ObjectNode metadata) {
        metadata.remove(List.of("selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"));
        metadata.put("uid", UUID.randomUUID().toString());
        metadata.put(
                "creationTimestamp",
                context.now().truncatedTo(ChronoUnit.SECONDS).toString());
        return metadata.path("name").asText().isEmpty()
                && !metadata.path("generateName").asText().isEmpty();
    }

    /** Restores what clients may not change, then judges the new state by the old. */
    void update(RequestContext context, ObjectNode object, ObjectNode old, UpdateStrategy strategy) {
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
        JsonNode managedFields = metadata.get("managedFields");
        strategy.prepareForUpdate(context, object, old);
        ObjectNode prepared = keepManagedFields(object, oldMetadata, managedFields);
        var errors = new ArrayList<>(MetadataRules.validate(prepared, definition));
        errors.addAll(MetadataRules.validateUpdate(prepared, oldMetadata));
        errors.addAll(strategy.validateUpdate(context, object, old));
        AllowedValues.check(definition.schema(), object, errors);
        failIfInvalid(object, errors);
        strategy.canonicalize(object);
    }

    @SuppressWarnings("ReferenceEquality") // the old tree must not be changed; an equal one may
    private static boolean isShared(ObjectNode metadata, ObjectNode oldMetadata) {
        return metadata == oldMetadata;
    }

    /** Strategies of subresources put the old metadata back, but who owns what is news of every write. */
    private static ObjectNode keepManagedFields(
            ObjectNode object, ObjectNode oldMetadata, @Nullable JsonNode managedFields) {
        ObjectNode metadata = metadataOf(object);
        if (isShared(metadata, oldMetadata)) {
            metadata = object.objectNode();
            metadata.setAll(oldMetadata);
            object.set("metadata", metadata);
        }
        if (managedFields == null) {
            metadata.remove("managedFields");
        } else {
            metadata.set("managedFields", managedFields);
        }
        return metadata;
    }

    ApiException conflict(String name) {
        return ApiException.conflict(
                definition.resource(),
                name,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    void failIfInvalid(ObjectNode object, List<FieldError> errors) {
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

    /** The metadata of an object, made where it is missing. */
    static ObjectNode metadataOf(ObjectNode object) {
        JsonNode metadata = object.get("metadata");
        if (metadata == null || metadata.isNull()) {
            return object.putObject("metadata");
        }
        if (metadata instanceof ObjectNode node) {
            return node;
        }
        throw ApiException.badRequest("metadata must be an object, not " + metadata.getNodeType());
    }
}
