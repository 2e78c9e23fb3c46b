package io.keelson.patch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.Trees;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

/** What patches that clients compute of two states do to the first of them, and to one that the server has added to. */
class StrategicMergePatchProperties {
    private static final Schema POD = Objects.requireNonNull(BuiltinSchemas.of(new GroupVersionKind("", "v1", "Pod")));

    /** Containers by name with the number of their image, in an order; and finalizers of the same names. */
    @Provide
    Arbitrary<Map<String, Integer>> containers() {
        Arbitrary<String> names = Arbitraries.of("a", "b", "c", "d", "e", "f");
        return Arbitraries.maps(names, Arbitraries.integers().between(1, 3))
                .ofMaxSize(6)
                .flatMap(map -> Arbitraries.shuffle(List.copyOf(map.keySet())).map(order -> {
                    var ordered = new LinkedHashMap<String, Integer>();
                    order.forEach(name -> ordered.put(name, map.get(name)));
                    return ordered;
                }));
    }

    @Provide
    Arbitrary<ObjectNode> objects() {
        return Trees.objects();
    }

    @Property(tries = 200)
    void a_patch_without_directives_of_unknown_fields_is_a_merge_patch(
            @ForAll("objects") ObjectNode original, @ForAll("objects") ObjectNode patch) {
        assertThat(StrategicMergePatch.apply(original, patch, POD)).isEqualTo(MergePatch.apply(original, patch));
    }

    @Property(tries = 200)
    void an_object_is_a_patch_that_leaves_it_as_it_is(@ForAll("containers") Map<String, Integer> state) {
        ObjectNode pod = pod(state);
        assertThat(StrategicMergePatch.apply(pod, pod, POD)).isEqualTo(pod);
    }

    @Property(tries = 500)
    void the_difference_of_two_states_makes_one_of_the_other(
            @ForAll("containers") Map<String, Integer> before, @ForAll("containers") Map<String, Integer> after) {
        ObjectNode patch = difference(before, after);
        JsonNode patchBefore = patch.deepCopy();

        ObjectNode result = StrategicMergePatch.apply(pod(before), patch, POD);

        assertThat(result).isEqualTo(pod(after));
        assertThat(StrategicMergePatch.apply(result, patch, POD)).isEqualTo(result);
        assertThat(patch).isEqualTo(patchBefore);
    }

    @Property(tries = 500)
    void what_the_server_has_added_stays_and_keeps_its_order(
            @ForAll("containers") Map<String, Integer> before,
            @ForAll("containers") Map<String, Integer> after,
            @ForAll @Size(max = 4) List<Integer> places) {
        ObjectNode live = pod(before);
        var added = new ArrayList<String>();
        for (int i = 0; i < places.size(); i++) {
            String name = "server" + i;
            var list = (ArrayNode) live.path("spec").path("containers");
            list.insert(
                    Math.floorMod(places.get(i), list.size() + 1), Json.object().put("name", name));
            ((ArrayNode) live.path("metadata").path("finalizers")).insert(list.size() / 2, name);
        }
        live.path("spec")
                .path("containers")
                .forEach(item -> added.add(item.path("name").asText()));
        added.removeIf(name -> !name.startsWith("server"));

        ObjectNode result = StrategicMergePatch.apply(live, difference(before, after), POD);

        List<String> names = new ArrayList<>();
        result.path("spec")
                .path("containers")
                .forEach(item -> names.add(item.path("name").asText()));
        assertThat(names).filteredOn(name -> name.startsWith("server")).isEqualTo(added);
        assertThat(names).filteredOn(name -> !name.startsWith("server")).isEqualTo(List.copyOf(after.keySet()));
        assertThat(result.path("metadata").path("finalizers")).hasSize(after.size() + places.size());
    }

    private static ObjectNode pod(Map<String, Integer> containers) {
        ObjectNode pod = Json.object();
        ArrayNode finalizers = pod.putObject("metadata").putArray("finalizers");
        ArrayNode list = pod.putObject("spec").putArray("containers");
        containers.forEach((name, image) -> {
            finalizers.add(name);
            list.addObject().put("name", name).put("image", image);
        });
        return pod;
    }

    /** As a client computes it: what is new or has changed, what has gone, and the order of all. */
    private static ObjectNode difference(Map<String, Integer> before, Map<String, Integer> after) {
        ObjectNode patch = Json.object();
        ObjectNode metadata = patch.putObject("metadata");
        ArrayNode added = metadata.putArray("finalizers");
        ArrayNode gone = metadata.putArray("$deleteFromPrimitiveList/finalizers");
        ArrayNode finalizerOrder = metadata.putArray("$setElementOrder/finalizers");
        ObjectNode spec = patch.putObject("spec");
        ArrayNode changes = spec.putArray("containers");
        ArrayNode order = spec.putArray("$setElementOrder/containers");
        after.forEach((name, image) -> {
            if (!image.equals(before.get(name))) {
                changes.addObject().put("name", name).put("image", image);
            }
            if (!before.containsKey(name)) {
                added.add(name);
            }
            order.addObject().put("name", name);
            finalizerOrder.add(name);
        });
        for (String name : before.keySet()) {
            if (!after.containsKey(name)) {
                changes.addObject().put("name", name).put("$patch", "delete");
                gone.add(name);
            }
        }
        return patch;
    }
}
