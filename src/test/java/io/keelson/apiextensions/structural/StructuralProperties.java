package io.keelson.apiextensions.structural;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random objects against random schemas: what pruning and defaulting leave is what they would leave again. */
class StructuralProperties {
    private static final List<String> NAMES = List.of("a", "b", "c", "d");
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    @Property(tries = 500)
    void pruning_defaulting_and_judging_are_stable(@ForAll Random random) {
        StructuralSchema schema = StructuralSchema.ofResource(schema(random, 0));
        ObjectNode object = object(random, 0);
        Pruning.prune(schema, object);
        Defaulting.apply(schema, object);
        ObjectNode once = object.deepCopy();
        var errors = SchemaValidator.validate(schema, object, null, Path.ROOT);

        Pruning.prune(schema, object);
        assertThat(Pruning.prune(schema, object)).isEmpty();
        Defaulting.apply(schema, object);

        assertThat(object).isEqualTo(once);
        assertThat(SchemaValidator.validate(schema, object, null, Path.ROOT)).isEqualTo(errors);
    }

    @Property(tries = 500)
    void a_pruned_object_has_no_field_that_its_schema_does_not_have(@ForAll Random random) {
        ObjectNode text = schema(random, 0);
        ObjectNode object = object(random, 0);
        Pruning.prune(StructuralSchema.ofResource(text), object);
        assertNothingUnknown(object, text);
    }

    @Property(tries = 500)
    void what_the_check_of_bytes_takes_stays_as_it_is(@ForAll Random random) {
        StructuralSchema schema = StructuralSchema.ofResource(schema(random, 0));
        ObjectNode object = object(random, 0);
        if (random.nextBoolean()) {
            Pruning.prune(schema, object);
            Defaulting.apply(schema, object);
        }
        ObjectNode after = object.deepCopy();
        Pruning.prune(schema, after);
        if (FormCheck.isPruned(schema, Json.write(object))) {
            assertThat(after).isEqualTo(object);
        }
        Defaulting.apply(schema, after);
        if (FormCheck.fits(schema, Json.write(object))) {
            assertThat(after).isEqualTo(object);
        }
    }

    @Property(tries = 300)
    void an_unchanged_object_is_not_judged_again(@ForAll Random random) {
        StructuralSchema schema = StructuralSchema.ofResource(schema(random, 0));
        ObjectNode object = object(random, 0);
        assertThat(SchemaValidator.validate(schema, object, object.deepCopy(), Path.ROOT))
                .isEmpty();
    }

    private static void assertNothingUnknown(JsonNode value, JsonNode schema) {
        boolean open = schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
        if (value.isObject()) {
            for (var field : value.properties()) {
                JsonNode known = schema.path("properties").path(field.getKey());
                if (known.isMissingNode()) {
                    known = schema.path("additionalProperties");
                }
                if (known.isMissingNode()) {
                    assertThat(open).as(field.getKey()).isTrue();
                } else {
                    assertNothingUnknown(field.getValue(), known);
                }
            }
        } else if (value.isArray() && schema.has("items")) {
            value.forEach(item -> assertNothingUnknown(item, schema.path("items")));
        }
    }

    // ---- random schemas and objects

    private static ObjectNode schema(Random random, int depth) {
        ObjectNode schema = Json.object();
        switch (depth == 0 ? 0 : random.nextInt(depth > 3 ? 2 : 5) + (depth > 3 ? 3 : 0)) {
            case 0, 1 -> {
                schema.put("type", "object");
                ObjectNode properties = schema.putObject("properties");
                for (String name : NAMES) {
                    if (random.nextBoolean()) {
                        properties.set(name, schema(random, depth + 1));
                    }
                }
            }
            case 2 -> {
                schema.put("type", "object").set("additionalProperties", schema(random, depth + 1));
            }
            case 3 -> {
                schema.put("type", "array").set("items", schema(random, depth + 1));
            }
            default -> {
                schema.put("type", "integer");
                if (random.nextBoolean()) {
                    schema.put("default", random.nextInt(5));
                }
                schema.put("maximum", 2);
            }
        }
        if (depth > 0 && random.nextInt(5) == 0) {
            schema.put("nullable", true);
        }
        if (depth > 0 && random.nextInt(6) == 0 && !schema.has("additionalProperties")) {
            schema.put("x-kubernetes-preserve-unknown-fields", true);
        }
        return schema;
    }

    private static ObjectNode object(Random random, int depth) {
        ObjectNode object = Json.object();
        for (String name : NAMES) {
            if (random.nextInt(3) > 0) {
                object.set(name, value(random, depth + 1));
            }
        }
        return object;
    }

    private static JsonNode value(Random random, int depth) {
        return switch (random.nextInt(depth > 4 ? 3 : 6)) {
            case 0 -> NODES.numberNode(random.nextInt(5));
            case 1 -> NODES.textNode("t");
            case 2 -> NODES.nullNode();
            case 3 -> {
                ArrayNode array = NODES.arrayNode();
                for (int i = random.nextInt(3); i > 0; i--) {
                    array.add(value(random, depth + 1));
                }
                yield array;
            }
            default -> object(random, depth);
        };
    }
}
