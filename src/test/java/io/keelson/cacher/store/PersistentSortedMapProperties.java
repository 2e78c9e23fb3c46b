package io.keelson.cacher.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.RandomDistribution;
import net.jqwik.api.constraints.IntRange;

/** The map against a {@link TreeMap} that has had the same operations. */
class PersistentSortedMapProperties {
    /** Maps compare values by identity; so do the models here, to which a value goes as the same instance. */
    record Value(int number) {}

    /** A put, or a remove if the value is null. */
    record Operation(int key, Value value) {
        void apply(TreeMap<String, Value> model) {
            if (value == null) {
                model.remove(keyOf(key));
            } else {
                model.put(keyOf(key), value);
            }
        }

        PersistentSortedMap<Value> apply(PersistentSortedMap<Value> map) {
            return value == null ? map.remove(keyOf(key)) : map.put(keyOf(key), value);
        }
    }

    /** Two versions, the later one derived from the earlier, with their models. */
    record History(
            PersistentSortedMap<Value> before,
            TreeMap<String, Value> beforeModel,
            PersistentSortedMap<Value> after,
            TreeMap<String, Value> afterModel) {}

    @Property(tries = 150)
    void every_version_keeps_equal_to_its_model(@ForAll("operations") List<Operation> operations) {
        PersistentSortedMap<Value> map = PersistentSortedMap.empty();
        TreeMap<String, Value> model = new TreeMap<>();
        List<PersistentSortedMap<Value>> versions = new ArrayList<>();
        List<TreeMap<String, Value>> models = new ArrayList<>();
        int apart = Math.max(1, operations.size() / 20);
        for (int i = 0; i < operations.size(); i++) {
            map = operations.get(i).apply(map);
            operations.get(i).apply(model);
            assertThat(map.size()).isEqualTo(model.size());
            if (i % apart == 0) {
                map.checkInvariants();
                versions.add(map);
                models.add(new TreeMap<>(model));
            }
        }
        versions.add(map);
        models.add(model);
        for (int i = 0; i < versions.size(); i++) {
            versions.get(i).checkInvariants();
            assertThat(entries(versions.get(i))).containsExactlyEntriesOf(models.get(i));
        }
    }

    @Property(tries = 40)
    void filling_and_emptying_in_mixed_order_keeps_the_tree_balanced(
            @ForAll("sizes") int size, @ForAll("strides") int fillStride, @ForAll("strides") int emptyStride) {
        PersistentSortedMap<Value> map = PersistentSortedMap.empty();
        // A stride is a prime above every size, so that the keys come in mixed order and each once.
        for (long i = 0; i < size; i++) {
            map = map.put(keyOf((int) (i * fillStride % size)), new Value((int) i));
        }
        map.checkInvariants();
        assertThat(map.size()).isEqualTo(size);
        for (long i = 0; i < size; i++) {
            map = map.remove(keyOf((int) (i * emptyStride % size)));
            if (i % 499 == 0) {
                map.checkInvariants();
            }
        }
        assertThat(map).isSameAs(PersistentSortedMap.empty());
    }

    @Property(tries = 100)
    void get_finds_what_the_model_has(
            @ForAll("histories") History history, @ForAll @IntRange(min = -1, max = 4001) int key) {
        String probe = keyOf(key);
        assertThat(history.after().get(probe)).isEqualTo(history.afterModel().get(probe));
        assertThat(history.before().get(probe)).isEqualTo(history.beforeModel().get(probe));
    }

    @Property(tries = 100)
    void what_changes_nothing_returns_the_same_map(
            @ForAll("histories") History history, @ForAll @IntRange(max = 4000) int key) {
        PersistentSortedMap<Value> map = history.after();
        String probe = keyOf(key);
        Value held = map.get(probe);
        if (held == null) {
            assertThat(map.remove(probe)).isSameAs(map);
        } else {
            assertThat(map.put(probe, held)).isSameAs(map);
        }
    }

    @Property(tries = 200)
    void ranges_and_counts_equal_the_submap(
            @ForAll("histories") History history, @ForAll("bounds") String from, @ForAll("bounds") String to) {
        NavigableMap<String, Value> model = history.afterModel();
        assertRange(history.after(), from, to, from.compareTo(to) < 0 ? model.subMap(from, to) : Map.of());
        assertRange(history.after(), from, null, model.tailMap(from));
    }

    @Property(tries = 200)
    void counts_by_prefix_equal_a_scan(
            @ForAll("histories") History history, @ForAll("bounds") String from, @ForAll("bounds") String prefix) {
        long expected = history.afterModel().tailMap(from).keySet().stream()
                .filter(key -> key.startsWith(prefix))
                .count();
        assertThat(history.after().countFrom(from, prefix)).isEqualTo((int) expected);
    }

    @Property(tries = 500)
    void a_key_is_below_the_prefix_end_only_with_the_prefix(
            @ForAll("edgeStrings") String prefix, @ForAll("edgeStrings") String key) {
        String end = PersistentSortedMap.prefixEnd(prefix);
        boolean inRange = key.compareTo(prefix) >= 0 && (end == null || key.compareTo(end) < 0);
        assertThat(inRange).isEqualTo(key.startsWith(prefix));
    }

    @Property(tries = 100)
    void iteration_stops_where_the_visitor_says(
            @ForAll("histories") History history, @ForAll @IntRange(min = 1, max = 300) int limit) {
        List<String> seen = new ArrayList<>();
        boolean completed = history.after().forEachWhile("", null, (key, value) -> {
            seen.add(key);
            return seen.size() < limit;
        });
        assertThat(seen)
                .containsExactlyElementsOf(
                        history.afterModel().keySet().stream().limit(limit).toList());
        assertThat(completed).isEqualTo(history.afterModel().size() < limit);
    }

    @Property(tries = 100)
    void diff_of_derived_versions_is_what_turns_one_into_the_other(@ForAll("histories") History history) {
        assertDiff(history.before(), history.beforeModel(), history.after(), history.afterModel());
        assertDiff(history.after(), history.afterModel(), history.before(), history.beforeModel());
    }

    @Property(tries = 100)
    void diff_of_a_rebuilt_map_is_what_turns_one_into_the_other(@ForAll("histories") History history) {
        PersistentSortedMap<Value> rebuilt = rebuilt(history.afterModel());
        assertDiff(history.before(), history.beforeModel(), rebuilt, history.afterModel());
        assertDiff(rebuilt, history.afterModel(), history.before(), history.beforeModel());
    }

    @Property(tries = 150)
    void a_map_built_from_sorted_input_is_valid_and_goes_on(
            @ForAll("sizes") int size, @ForAll("operations") List<Operation> operations) {
        PersistentSortedMap<Value> map = filled(size);
        map.checkInvariants();
        TreeMap<String, Value> model = entries(map);
        assertThat(model).hasSize(size);
        for (Operation operation : operations) {
            map = operation.apply(map);
            operation.apply(model);
        }
        map.checkInvariants();
        assertThat(entries(map)).containsExactlyEntriesOf(model);
    }

    /** Few keys give many replacements and removals, many keys give deep trees. Removals prevail in some sequences. */
    @Provide
    Arbitrary<List<Operation>> operations() {
        Arbitrary<Integer> keySpaces = Arbitraries.of(10, 100, 500, 4000, 12_000);
        Arbitrary<Integer> removals = Arbitraries.of(5, 40, 60);
        Arbitrary<Integer> lengths = Arbitraries.of(0, 1, 64, 65, 500, 4000, 12_000);
        return Combinators.combine(keySpaces, removals, lengths).flatAs((keys, percent, length) -> {
            Arbitrary<Boolean> removes = uniform(100).map(i -> i < percent);
            return Combinators.combine(uniform(keys), removes, Arbitraries.integers())
                    .as((key, remove, number) -> new Operation(key, remove ? null : new Value(number)))
                    .list()
                    .ofSize(length);
        });
    }

    /** Without the preference of small numbers that would leave most keys unused and most trees flat. */
    private static Arbitrary<Integer> uniform(int bound) {
        return Arbitraries.integers()
                .between(0, bound - 1)
                .withDistribution(RandomDistribution.uniform())
                .withoutEdgeCases();
    }

    @Provide
    Arbitrary<History> histories() {
        Arbitrary<Integer> starts = Arbitraries.of(0, 1, 64, 65, 2000, 9000);
        return Combinators.combine(starts, operations(), operations()).as((start, first, second) -> {
            PersistentSortedMap<Value> map = filled(start);
            TreeMap<String, Value> model = entries(map);
            for (Operation operation : first) {
                map = operation.apply(map);
                operation.apply(model);
            }
            PersistentSortedMap<Value> before = map;
            TreeMap<String, Value> beforeModel = new TreeMap<>(model);
            for (Operation operation : second.subList(0, second.size() / 2)) {
                map = operation.apply(map);
                operation.apply(model);
            }
            return new History(before, beforeModel, map, model);
        });
    }

    @Provide
    Arbitrary<Integer> sizes() {
        return Arbitraries.oneOf(
                uniform(3001), Arbitraries.of(0, 1, 64, 65, 95, 96, 97, 128, 4096, 4097, 9000, 12_000));
    }

    @Provide
    Arbitrary<Integer> strides() {
        return Arbitraries.of(12_007, 65_537, 104_729);
    }

    @Provide
    Arbitrary<String> bounds() {
        return Arbitraries.oneOf(
                Arbitraries.integers().between(-1, 4001).map(PersistentSortedMapProperties::keyOf),
                Arbitraries.integers().between(0, 7).map(i -> "/registry/pods/ns-" + i + "/"),
                Arbitraries.of("", "/", "/registry/pods/", "/registry/pods0", "/registry/secrets/", "~"));
    }

    @Provide
    Arbitrary<String> edgeStrings() {
        return Arbitraries.strings()
                .withChars('a', 'b', '/', '0', '\u0000', '\ufffe', '\uffff')
                .ofMaxLength(4);
    }

    /** Keys in seven namespaces, so that neighbouring numbers lie far apart; a new instance at each call. */
    private static String keyOf(int number) {
        return "/registry/pods/ns-" + Math.floorMod(number, 7) + "/web-" + number;
    }

    private static PersistentSortedMap<Value> filled(int size) {
        TreeMap<String, Value> model = new TreeMap<>();
        for (int i = 0; i < size; i++) {
            model.put(keyOf(i), new Value(i));
        }
        return rebuilt(model);
    }

    private static PersistentSortedMap<Value> rebuilt(TreeMap<String, Value> model) {
        return PersistentSortedMap.ofSorted(List.copyOf(model.keySet()), List.copyOf(model.values()));
    }

    private static TreeMap<String, Value> entries(PersistentSortedMap<Value> map) {
        TreeMap<String, Value> entries = new TreeMap<>();
        String last = null;
        Cursor<Value> cursor = map.cursor("", null);
        while (cursor.next()) {
            assertThat(last == null || last.compareTo(cursor.key()) < 0).isTrue();
            last = cursor.key();
            entries.put(last, cursor.value());
        }
        return entries;
    }

    private static void assertRange(
            PersistentSortedMap<Value> map, String from, String to, Map<String, Value> expected) {
        assertThat(map.count(from, to)).isEqualTo(expected.size());
        Cursor<Value> cursor = map.cursor(from, to);
        int left = expected.size();
        for (Map.Entry<String, Value> entry : expected.entrySet()) {
            assertThat(cursor.remaining()).isEqualTo(left--);
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key()).isEqualTo(entry.getKey());
            assertThat(cursor.value()).isEqualTo(entry.getValue());
        }
        assertThat(cursor.next()).isFalse();
    }

    private static void assertDiff(
            PersistentSortedMap<Value> before,
            TreeMap<String, Value> beforeModel,
            PersistentSortedMap<Value> after,
            TreeMap<String, Value> afterModel) {
        TreeMap<String, String> expected = new TreeMap<>();
        beforeModel.forEach((key, value) -> {
            if (!afterModel.containsKey(key)) {
                expected.put(key, "removed " + value);
            } else if (afterModel.get(key) != value) {
                expected.put(key, "changed " + value + " to " + afterModel.get(key));
            }
        });
        afterModel.forEach((key, value) -> {
            if (!beforeModel.containsKey(key)) {
                expected.put(key, "added " + value);
            }
        });
        RecordedDiff<Value> diff = new RecordedDiff<>();
        PersistentSortedMap.diff(before, after, diff);
        assertThat(diff.lines)
                .containsExactlyElementsOf(expected.entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue())
                        .toList());
    }
}
