package io.keelson.patch.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What holds for any configurations: of labels, env variables of one container, finalizers and replicas of a deployment. */
class ApplyProperties {
    private static final int TRIES = 200;

    /** What a configuration says: labels and env by name, finalizers, and replicas or null. */
    record Wishes(Map<String, String> labels, Map<String, String> env, List<String> finalizers, Integer replicas) {
        ObjectNode configuration() {
            ObjectNode object = Json.object();
            object.put("apiVersion", "apps/v1").put("kind", "Deployment");
            ObjectNode metadata = object.putObject("metadata").put("name", "x");
            if (!labels.isEmpty()) {
                ObjectNode to = metadata.putObject("labels");
                labels.forEach(to::put);
            }
            if (!finalizers.isEmpty()) {
                ArrayNode to = metadata.putArray("finalizers");
                finalizers.forEach(to::add);
            }
            if (replicas != null) {
                object.withObject("/spec").put("replicas", replicas);
            }
            if (!env.isEmpty()) {
                ObjectNode container = object.withObject("/spec")
                        .withObject("/template/spec")
                        .putArray("containers")
                        .addObject()
                        .put("name", "c");
                ArrayNode variables = container.putArray("env");
                env.forEach(
                        (name, value) -> variables.addObject().put("name", name).put("value", value));
            }
            return object;
        }

        /** The same wishes under other names, so that nothing is named by both. */
        Wishes renamed(String prefix) {
            var otherLabels = new TreeMap<String, String>();
            labels.forEach((name, value) -> otherLabels.put(prefix + name, value));
            var otherEnv = new TreeMap<String, String>();
            env.forEach((name, value) -> otherEnv.put(prefix + name, value));
            return new Wishes(
                    otherLabels,
                    otherEnv,
                    finalizers.stream().map(name -> prefix + name).toList(),
                    null);
        }
    }

    @Provide
    Arbitrary<Wishes> wishes() {
        Arbitrary<String> names = Arbitraries.of("a", "b", "c", "d");
        Arbitrary<Map<String, String>> maps =
                Arbitraries.maps(names, Arbitraries.of("1", "2")).ofMaxSize(4);
        Arbitrary<List<String>> finalizers = Arbitraries.of("e.com/a", "e.com/b", "e.com/c")
                .list()
                .uniqueElements()
                .ofMaxSize(3);
        Arbitrary<Integer> replicas = Arbitraries.integers().between(0, 3).injectNull(0.5);
        return Combinators.combine(maps, maps, finalizers, replicas).as(Wishes::new);
    }

    private static ApplyFixture deployment() {
        return new ApplyFixture(ApplyFixture.DEPLOYMENT);
    }

    @Property(tries = TRIES)
    void applyIsIdempotent(
            @ForAll("wishes") Wishes before, @ForAll("wishes") Wishes other, @ForAll("wishes") Wishes after) {
        ApplyFixture object = deployment()
                .apply("one", before.configuration(), true)
                .apply("two", other.configuration(), true)
                .apply("one", after.configuration(), true);
        ObjectNode once = object.object();

        assertThat(object.apply("one", after.configuration(), false).object()).isEqualTo(once);
    }

    @Property(tries = TRIES)
    void configurationsOfOtherFieldsNeverConflict(
            @ForAll("wishes") Wishes one, @ForAll("wishes") Wishes two, @ForAll("wishes") Wishes three) {
        ApplyFixture object = deployment()
                .apply("one", one.configuration(), false)
                .apply("two", two.renamed("x").configuration(), false)
                .apply("one", three.configuration(), false)
                .apply("two", one.renamed("x").configuration(), false);

        assertThat(names(object.content()))
                .containsExactlyInAnyOrderElementsOf(concat(
                        names(three.configuration()), names(one.renamed("x").configuration())));
    }

    @Property(tries = TRIES)
    void whatNobodyOwnsAnyMoreGoes(@ForAll("wishes") Wishes first, @ForAll("wishes") Wishes then) {
        ApplyFixture object =
                deployment().apply("one", first.configuration(), false).apply("one", then.configuration(), false);

        assertThat(names(object.content())).containsExactlyInAnyOrderElementsOf(names(then.configuration()));
    }

    @Property(tries = TRIES)
    void whatAnotherAppliedStays(@ForAll("wishes") Wishes shared, @ForAll("wishes") Wishes then) {
        ApplyFixture object = deployment()
                .apply("one", shared.configuration(), false)
                .apply("two", shared.configuration(), false)
                .apply("one", then.renamed("x").configuration(), false);

        assertThat(names(object.content())).containsAll(names(shared.configuration()));
    }

    @Property(tries = TRIES)
    void storedSetsReadBack(@ForAll("wishes") Wishes wishes, @ForAll("wishes") Wishes other) {
        ApplyFixture object =
                deployment().apply("one", wishes.configuration(), true).update("two", "", other.configuration());
        JsonNode read = Json.parse(Json.write(object.object()));
        for (JsonNode entry : read.path("metadata").path("managedFields")) {
            assertThat(FieldSets.isValid((ObjectNode) entry.path("fieldsV1"))).isTrue();
        }
        ObjectNode again = (ObjectNode) read.deepCopy();
        Ownership.of(again).writeTo(again);
        assertThat(again).isEqualTo(read);
    }

    @Property(tries = TRIES)
    void setsFollowTheLawsOfSets(@ForAll("wishes") Wishes one, @ForAll("wishes") Wishes other) {
        ObjectNode a = fields(one);
        ObjectNode b = fields(other);

        assertThat(paths(FieldSets.union(a, b))).containsExactlyInAnyOrderElementsOf(union(paths(a), paths(b)));
        List<String> onlyA = new ArrayList<>(paths(a));
        onlyA.removeAll(paths(b));
        assertThat(paths(FieldSets.minus(a, b))).containsExactlyInAnyOrderElementsOf(onlyA);
        List<String> both = new ArrayList<>(paths(a));
        both.retainAll(paths(b));
        assertThat(paths(FieldSets.intersection(a, b))).containsExactlyInAnyOrderElementsOf(both);
    }

    private static ObjectNode fields(Wishes wishes) {
        JsonNode fields = deployment().update("m", "", wishes.configuration()).fieldsOf("m");
        return fields instanceof ObjectNode set ? set : Json.object();
    }

    private static List<String> paths(ObjectNode set) {
        var paths = new ArrayList<String>();
        FieldSets.forEachPath(set, paths::add);
        return paths;
    }

    private static List<String> union(List<String> one, List<String> other) {
        var all = new java.util.TreeSet<String>(one);
        all.addAll(other);
        return List.copyOf(all);
    }

    private static List<String> concat(List<String> one, List<String> other) {
        var all = new ArrayList<String>(one);
        all.addAll(other);
        return all;
    }

    /** All that the object has of what wishes name. */
    private static List<String> names(JsonNode object) {
        var names = new ArrayList<String>();
        object.path("metadata").path("labels").fieldNames().forEachRemaining(name -> names.add("label " + name));
        object.path("metadata").path("finalizers").forEach(name -> names.add("finalizer " + name.asText()));
        JsonNode container = object.path("spec")
                .path("template")
                .path("spec")
                .path("containers")
                .path(0);
        container
                .path("env")
                .forEach(variable -> names.add("env " + variable.path("name").asText()));
        if (object.path("spec").has("replicas")) {
            names.add("replicas");
        }
        return names;
    }
}
