package io.keelson.cacher.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PersistentSortedMapTest {
    private static final int MANY = 100_000;

    @Test
    void the_empty_map_has_nothing() {
        PersistentSortedMap<String> map = PersistentSortedMap.empty();
        map.checkInvariants();
        assertThat(map.size()).isZero();
        assertThat(map.get("a")).isNull();
        assertThat(map.remove("a")).isSameAs(map);
        assertThat(map.countFrom("", "")).isZero();
        assertThat(map.cursor("", null).next()).isFalse();
        assertThat(PersistentSortedMap.<String>ofSorted(List.of(), List.of())).isSameAs(map);
    }

    @Test
    void a_range_includes_its_start_and_excludes_its_end() {
        PersistentSortedMap<Integer> map = PersistentSortedMap.ofSorted(List.of("a", "b", "c"), List.of(1, 2, 3));
        assertThat(map.count("a", "c")).isEqualTo(2);
        assertThat(map.count("b", "b")).isZero();
        assertThat(map.count("c", "a")).isZero();
        assertThat(map.cursor("c", "a").next()).isFalse();
        assertThat(map.count("aa", null)).isEqualTo(2);
    }

    @Test
    void a_prefix_does_not_count_names_that_go_on_before_the_slash() {
        PersistentSortedMap<Integer> map = PersistentSortedMap.ofSorted(
                List.of("/registry/pods/a/x", "/registry/pods/a/y", "/registry/pods/ab/z"), List.of(1, 2, 3));
        assertThat(map.countFrom("", "/registry/pods/a/")).isEqualTo(2);
        assertThat(map.countFrom("/registry/pods/a/x\0", "/registry/pods/a/")).isEqualTo(1);
        assertThat(map.countFrom("/registry/pods/b", "/registry/pods/a/")).isZero();
    }

    @Test
    void a_cursor_has_an_entry_only_after_a_successful_step() {
        Cursor<Integer> cursor =
                PersistentSortedMap.<Integer>empty().put("a", 1).cursor("", null);
        assertThatIllegalStateException().isThrownBy(cursor::key);
        assertThat(cursor.next()).isTrue();
        assertThat(cursor.key()).isEqualTo("a");
        assertThat(cursor.next()).isFalse();
        assertThat(cursor.next()).isFalse();
        assertThatIllegalStateException().isThrownBy(cursor::value);
    }

    @Test
    void sorted_input_is_checked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PersistentSortedMap.ofSorted(List.of("b", "a"), List.of(1, 2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PersistentSortedMap.ofSorted(List.of("a", "a"), List.of(1, 2)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PersistentSortedMap.ofSorted(List.of("a"), List.of(1, 2)));
    }

    @Test
    void null_is_refused() {
        PersistentSortedMap<Integer> map = PersistentSortedMap.empty();
        assertThatNullPointerException().isThrownBy(() -> map.put("a", null));
        assertThatNullPointerException().isThrownBy(() -> map.put(null, 1));
        assertThatNullPointerException().isThrownBy(() -> map.get(null));
        assertThatNullPointerException().isThrownBy(() -> map.cursor(null, null));
    }

    @Test
    void a_key_put_again_after_removal_is_held_as_the_new_instance_on_every_level() {
        PersistentSortedMap<Integer> map = many();
        for (int i = 0; i < MANY; i += 1000) {
            map = map.remove(key(i)).put(key(i), i);
        }
        // Compares the keys in the inner nodes with those in the leaves by identity.
        map.checkInvariants();
    }

    @Test
    void ascending_and_descending_insertion_stay_balanced() {
        PersistentSortedMap<Integer> up = PersistentSortedMap.empty();
        PersistentSortedMap<Integer> down = PersistentSortedMap.empty();
        for (int i = 0; i < 20_000; i++) {
            up = up.put(key(i), i);
            down = down.put(key(MANY - i), i);
        }
        up.checkInvariants();
        down.checkInvariants();
    }

    @Test
    void diff_of_a_large_map_reports_the_few_changes_in_key_order() {
        PersistentSortedMap<Probe> before = PersistentSortedMap.ofSorted(
                IntStream.range(0, MANY).mapToObj(PersistentSortedMapTest::key).toList(),
                IntStream.range(0, MANY).mapToObj(Probe::new).toList());
        PersistentSortedMap<Probe> after =
                before.remove(key(5)).put(key(50_000), new Probe(-1)).put(key(MANY), new Probe(-2));
        RecordedDiff<Probe> diff = new RecordedDiff<>();
        int steps = new TreeDiff<>(before.root(), after.root(), diff).run();
        // Each change opens one path of three levels, and each level has at most a node's width of neighbours to skip.
        assertThat(steps).isLessThanOrEqualTo(3 * 3 * 2 * Node.MAX_WIDTH);
        assertThat(diff.lines)
                .containsExactly(
                        key(5) + " removed Probe[number=5]",
                        key(50_000) + " changed Probe[number=50000] to Probe[number=-1]",
                        key(MANY) + " added Probe[number=-2]");
    }

    private record Probe(int number) {}

    private static PersistentSortedMap<Integer> many() {
        return PersistentSortedMap.ofSorted(
                IntStream.range(0, MANY).mapToObj(PersistentSortedMapTest::key).toList(),
                IntStream.range(0, MANY).boxed().toList());
    }

    private static String key(int number) {
        return "/registry/pods/default/web-%06d".formatted(number);
    }
}
