package io.keelson.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.apiextensions.cel.RuleValidator;
import io.keelson.apiextensions.structural.StructuralSchema;
import org.jspecify.annotations.Nullable;

/**
 * The schema of one version: its text as part of the definition's bytes, and the compiled form, with the programs of its rules,
 * from when it is needed until it has not been for a while. Thread-safe.
 */
final class VersionSchema {
    private final ApiObject crd;
    private final String version;
    private volatile @Nullable Compiled known;

    /** Whether the compiled form was asked for since {@link #dropUnused} looked. */
    private volatile boolean used;

    private record Compiled(StructuralSchema schema, RuleValidator rules) {}

    VersionSchema(ApiObject crd, String version) {
        this.crd = crd;
        this.version = version;
    }

    String revision() {
        return crd.meta().uid() + "/" + crd.meta().generation();
    }

    @Nullable
    ObjectNode text() {
        for (JsonNode each : Json.parseTrusted(crd.json()).path("spec").path("versions")) {
            if (each.path("name").asText().equals(version)
                    && each.path("schema").path("openAPIV3Schema") instanceof ObjectNode schema) {
                return schema;
            }
        }
        return null;
    }

    StructuralSchema compiled() {
        return known().schema();
    }

    RuleValidator rules() {
        return known().rules();
    }

    /** Two threads that ask for the first time at once compile it twice, to the same effect; whoever has one may keep it. */
    private Compiled known() {
        if (!used) {
            used = true;
        }
        Compiled made = known;
        if (made == null) {
            made = compile();
            known = made;
        }
        return made;
    }

    private Compiled compile() {
        ObjectNode text = text();
        StructuralSchema schema = StructuralSchema.ofResource(
                text == null ? Json.object().put("x-kubernetes-preserve-unknown-fields", true) : text);
        return new Compiled(schema, new RuleValidator(schema));
    }

    void dropUnused() {
        if (used) {
            used = false;
        } else {
            known = null;
        }
    }
}
