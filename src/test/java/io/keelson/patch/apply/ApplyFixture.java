package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.schema.BuiltinSchemas;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One object that several managers write, each a second after the other. JSON is written with single quotes. */
final class ApplyFixture {
    static final GroupVersionKind DEPLOYMENT = new GroupVersionKind("apps", "v1", "Deployment");
    static final GroupVersionKind CONFIG_MAP = new GroupVersionKind("", "v1", "ConfigMap");

    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final ObjectType type;
    private @Nullable ObjectNode object;
    private int writes;

    ApplyFixture(GroupVersionKind kind) {
        this.type = new ObjectType(kind, BuiltinSchemas.of(kind), true);
    }

    /** A kind without a Go type and without a schema. */
    static ApplyFixture untyped() {
        return new ApplyFixture(new ObjectType(new GroupVersionKind("example.com", "v1", "Thing"), null, false));
    }

    private ApplyFixture(ObjectType type) {
        this.type = type;
    }

    static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private FieldManager fields(String subresource) {
        return new FieldManager(
                type, subresource.equals("status") ? Scope.STATUS : Scope.WITHOUT_STATUS, ApplyFixture::fill);
    }

    /** As kube-apiserver does: the version of the object that a field reference means. */
    private static void fill(ObjectNode object) {
        for (JsonNode container : object.at("/spec/template/spec/containers")) {
            for (JsonNode variable : container.path("env")) {
                if (variable.at("/valueFrom/fieldRef") instanceof ObjectNode reference
                        && !reference.has("apiVersion")) {
                    reference.put("apiVersion", "v1");
                }
            }
        }
    }

    private Writer writer(String manager, String subresource) {
        return new Writer(manager, "apps/v1", subresource, START.plusSeconds(writes++));
    }

    ApplyFixture apply(String manager, String configuration) {
        return apply(manager, json(configuration), false);
    }

    ApplyFixture force(String manager, String configuration) {
        return apply(manager, json(configuration), true);
    }

    ApplyFixture apply(String manager, ObjectNode configuration, boolean force) {
        ObjectNode before = object;
        ObjectNode after = fields("").apply(before, configuration, writer(manager, ""), force);
        if (before != null) {
            FieldManager.dropIdleTimes(before, after);
        }
        object = after;
        return this;
    }

    /** Replaces the object, keeping its managedFields unless the new state has some. */
    ApplyFixture update(String manager, String state) {
        return update(manager, "", json(state));
    }

    ApplyFixture update(String manager, String subresource, ObjectNode state) {
        fields(subresource).update(object, state, writer(manager, subresource));
        object = state;
        return this;
    }

    ObjectNode object() {
        return java.util.Objects.requireNonNull(object);
    }

    /** The object without its managedFields. */
    ObjectNode content() {
        ObjectNode copy = object().deepCopy();
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove("managedFields");
        }
        return copy;
    }

    JsonNode managedFields() {
        return object().path("metadata").path("managedFields");
    }

    /** The entry of a manager; a missing node where there is none. */
    JsonNode entry(String manager) {
        for (JsonNode entry : managedFields()) {
            if (entry.path("manager").asText().equals(manager)) {
                return entry;
            }
        }
        return Json.object().missingNode();
    }

    JsonNode fieldsOf(String manager) {
        return entry(manager).path("fieldsV1");
    }
}
