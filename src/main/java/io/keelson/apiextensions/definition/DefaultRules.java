package io.keelson.apiextensions.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.apiextensions.structural.Path;
import io.keelson.apiextensions.structural.Pruning;
import io.keelson.apiextensions.structural.SchemaValidator;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.resources.fields.Faults;

/** Defaults are values that their own schema takes, without fields that it does not have. */
final class DefaultRules {
    /** The field that a default is put below to prune it as a part of a resource. */
    private static final String FIELD = "value";

    private final Faults faults;

    DefaultRules(Faults faults) {
        this.faults = faults;
    }

    void judge(JsonNode schema, Path path) {
        if (!schema.isObject()) {
            return;
        }
        JsonNode preset = schema.get("default");
        if (preset != null) {
            judge(schema, preset, path.child("default"));
        }
        judge(schema.path("items"), path.child("items"));
        judge(schema.path("additionalProperties"), path.child("additionalProperties"));
        for (var property : schema.path("properties").properties()) {
            judge(property.getValue(), path.child("properties").key(property.getKey()));
        }
    }

    private void judge(JsonNode schema, JsonNode preset, Path path) {
        ObjectNode holder = Json.object();
        holder.putObject("properties").set(FIELD, schema);
        StructuralSchema structural = StructuralSchema.ofResource(holder);
        ObjectNode pruned = Json.object().set(FIELD, preset.deepCopy());
        if (!Pruning.prune(structural, pruned).isEmpty()) {
            faults.invalid(path.toString(), preset, "must not have unknown fields");
        }
        if (structural.properties().get(FIELD) instanceof StructuralSchema own) {
            faults.list().addAll(SchemaValidator.validate(own, preset, null, path));
        }
    }
}
