package io.keelson.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.api.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Patches against a model of plain maps and lists that has had the same changes, and against each other. */
class PatchProperties {
    @Provide
    Arbitrary<ObjectNode> objects() {
        return Trees.objects();
    }

    @Property(tries = 300)
    void operations_do_to_a_tree_what_they_do_to_maps_and_lists(
            @ForAll("objects") ObjectNode original, @ForAll Random random) {
        JsonNode before = original.deepCopy();
        var model = new Model(original, random);
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < 12; i++) {
            patch.add(model.operation());
        }
        JsonNode patchBefore = patch.deepCopy();

        assertThat(JsonPatch.perform(original, patch)).isEqualTo(model.tree());
        assertThat(JsonPatch.apply(original, patch)).isEqualTo(model.tree());
        assertThat(original).isEqualTo(before);
        assertThat(patch).isEqualTo(patchBefore);
    }

    @Property(tries = 300)
    void merging_twice_is_merging_once(@ForAll("objects") ObjectNode original, @ForAll("objects") ObjectNode patch) {
        JsonNode before = original.deepCopy();
        ObjectNode once = MergePatch.apply(original, patch);
        assertThat(MergePatch.apply(once, patch)).isEqualTo(once);
        assertThat(original).isEqualTo(before);
    }

    @Property(tries = 300)
    void a_merged_field_is_the_patchs_or_the_originals(
            @ForAll("objects") ObjectNode original, @ForAll("objects") ObjectNode patch) {
        ObjectNode merged = MergePatch.apply(original, patch);
        for (String name : List.of("a", "b", "c", "d/e", "~f", "0")) {
            JsonNode change = patch.get(name);
            if (change == null) {
                assertThat(merged.get(name)).isEqualTo(original.get(name));
            } else if (change.isNull()) {
                assertThat(merged.has(name)).isFalse();
            } else if (!change.isObject()) {
                assertThat(merged.get(name)).isEqualTo(change);
            } else {
                assertThat(merged.get(name).isObject()).isTrue();
            }
        }
    }

    /** The document as maps and lists, which makes up operations that apply and performs them on itself. */
    private static final class Model {
        private final Map<String, Object> root;
        private final Random random;

        Model(ObjectNode original, Random random) {
            this.root = fields(original);
            this.random = random;
        }

        JsonNode tree() {
            return node(root);
        }

        ObjectNode operation() {
            List<Place> places = places();
            if (places.isEmpty()) {
                return put("add", new Place(root, "a", "/a"));
            }
            Place place = places.get(random.nextInt(places.size()));
            return switch (random.nextInt(6)) {
                case 0 -> place.named("test").set("value", node(place.get()));
                case 1 -> {
                    place.remove();
                    yield place.named("remove");
                }
                case 2 -> put("replace", place);
                case 3 -> put("add", place);
                case 4 -> put("copy", target(), node(place.get())).put("from", place.pointer());
                default -> {
                    Object value = place.remove();
                    yield put("move", target(), node(value)).put("from", place.pointer());
                }
            };
        }

        /** A field of the root or an end of one of the arrays. */
        private Place target() {
            var targets = new ArrayList<Place>(List.of(new Place(root, "new", "/new"), new Place(root, "a", "/a")));
            for (Place place : places()) {
                if (place.get() instanceof List<?> list) {
                    targets.add(new Place(list, "-", place.pointer() + "/-"));
                }
            }
            return targets.get(random.nextInt(targets.size()));
        }

        private ObjectNode put(String op, Place place) {
            JsonNode value = Json.object().put("n", random.nextInt(5));
            return put(op, place, value).set("value", value);
        }

        private ObjectNode put(String op, Place place, JsonNode value) {
            place.put(plain(value), op.equals("replace"));
            return place.named(op);
        }

        private List<Place> places() {
            var places = new ArrayList<Place>();
            collect(root, "", places);
            return places;
        }

        private static void collect(Object container, String pointer, List<Place> into) {
            if (container instanceof Map<?, ?> map) {
                map.forEach((key, value) -> {
                    String name = (String) key;
                    String below = pointer + "/" + name.replace("~", "~0").replace("/", "~1");
                    into.add(new Place(container, name, below));
                    collect(value, below, into);
                });
            } else if (container instanceof List<?> list) {
                for (int i = 0; i < list.size(); i++) {
                    into.add(new Place(container, "" + i, pointer + "/" + i));
                    collect(list.get(i), pointer + "/" + i, into);
                }
            }
        }
    }

    /** Where something is or may go. */
    private record Place(Object container, String token, String pointer) {
        ObjectNode named(String op) {
            return Json.object().put("op", op).put("path", pointer);
        }

        Object get() {
            return container instanceof List<?> list
                    ? list.get(Integer.parseInt(token))
                    : ((Map<?, ?>) container).get(token);
        }

        Object remove() {
            return container instanceof List<?> list
                    ? list.remove(Integer.parseInt(token))
                    : ((Map<?, ?>) container).remove(token);
        }

        @SuppressWarnings("unchecked")
        void put(Object value, boolean replace) {
            if (container instanceof Map<?, ?>) {
                ((Map<String, Object>) container).put(token, value);
                return;
            }
            var list = (List<Object>) container;
            int index = token.equals("-") ? list.size() : Integer.parseInt(token);
            if (replace) {
                list.set(index, value);
            } else {
                list.add(index, value);
            }
        }
    }

    private static Map<String, Object> fields(JsonNode node) {
        var map = new LinkedHashMap<String, Object>();
        node.properties().forEach(field -> map.put(field.getKey(), plain(field.getValue())));
        return map;
    }

    private static Object plain(JsonNode node) {
        if (node.isObject()) {
            return fields(node);
        }
        if (node.isArray()) {
            var list = new ArrayList<Object>();
            node.forEach(item -> list.add(plain(item)));
            return list;
        }
        return node;
    }

    private static JsonNode node(Object plain) {
        return switch (plain) {
            case Map<?, ?> map -> {
                ObjectNode object = Json.object();
                map.forEach((key, value) -> object.set((String) key, node(value)));
                yield object;
            }
            case List<?> list -> {
                ArrayNode array = JsonNodeFactory.instance.arrayNode();
                list.forEach(item -> array.add(node(item)));
                yield array;
            }
            default -> (JsonNode) plain;
        };
    }
}
