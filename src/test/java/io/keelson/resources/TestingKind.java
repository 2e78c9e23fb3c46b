package io.keelson.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** Feeds objects through a kind as the registry does, without storage. */
final class TestingKind {
    static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
    static final String UID = "11111111-2222-3333-4444-555555555555";

    private final ResourceDefinition definition;

    TestingKind(ResourceDefinition definition) {
        this.definition = definition;
    }

    /** The built-in kind of a name. */
    static TestingKind of(String kind) {
        return new TestingKind(BuiltinResources.all().stream()
                .filter(definition -> definition.kind().kind().equals(kind))
                .findFirst()
                .orElseThrow());
    }

    ResourceDefinition definition() {
        return definition;
    }

    /** Parses JSON whose quotes are single ones. */
    static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** An object called {@code x} as it is before validation. */
    ObjectNode prepared(String fields) {
        ObjectNode object = json("{'metadata':{'name':'x','namespace':'n'}}");
        object.put("kind", definition.kind().kind());
        object.put("apiVersion", definition.kind().apiVersion());
        ObjectNode given = json(fields);
        if (given.remove("metadata") instanceof ObjectNode metadata) {
            ((ObjectNode) object.get("metadata")).setAll(metadata);
        }
        object.setAll(given);
        definition.defaults().accept(object);
        ((ObjectNode) object.get("metadata")).put("uid", UID).put("creationTimestamp", "2026-01-01T00:00:00Z");
        var finish = definition.hooks().beginCreate(context(), object);
        definition.strategy().prepareForCreate(context(), object);
        finish.finish(true);
        return object;
    }

    /** An object that is found valid. */
    ObjectNode created(String fields) {
        ObjectNode object = prepared(fields);
        assertThat(definition.strategy().validate(context(), object)).isEmpty();
        definition.strategy().canonicalize(object);
        return object;
    }

    /** What is wrong with a new object. */
    List<String> faults(String fields) {
        return texts(definition.strategy().validate(context(), prepared(fields)));
    }

    /** A changed copy as an update stores it. */
    ObjectNode updated(ObjectNode old, Consumer<ObjectNode> change) {
        ObjectNode object = old.deepCopy();
        change.accept(object);
        definition.defaults().accept(object);
        definition.strategy().prepareForUpdate(context(), object, old);
        return object;
    }

    /** What is wrong with a change. */
    List<String> updateFaults(ObjectNode old, Consumer<ObjectNode> change) {
        return texts(definition.strategy().validateUpdate(context(), updated(old, change), old));
    }

    /** The cells of an object's table row, wide ones too. */
    List<Object> cells(ObjectNode object) {
        ObjectNode shown = definition.tableForm(object.deepCopy());
        return Arrays.asList(definition.columns().stream()
                .map(column -> column.cell().read(shown, NOW))
                .toArray());
    }

    /** The columns as {@code name:type:format:priority}, short of what is empty or 0. */
    List<String> columns() {
        return definition.columns().stream()
                .map(column -> column.name()
                        + (column.type().equals("string") ? "" : ":" + column.type())
                        + (column.priority() == 0 ? "" : " wide"))
                .toList();
    }

    /** A copy of an object's spec short of some fields. */
    static ObjectNode specWithout(ObjectNode object, String... fields) {
        ObjectNode spec = object.get("spec").deepCopy();
        spec.remove(List.of(fields));
        return spec;
    }

    private static List<String> texts(List<FieldError> errors) {
        return errors.stream().map(FieldError::text).toList();
    }

    private static RequestContext context() {
        return new RequestContext("n", "test", false, NOW);
    }
}
