package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StateDigestTest {
    private record Entry(String key, long revision) {}

    private static StateDigest digest(List<Entry> entries) {
        var digest = new StateDigest();
        entries.forEach(entry -> digest.add(entry.key(), entry.revision()));
        return digest;
    }

    private static List<Entry> entries(int count) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            entries.add(new Entry("/registry/things/ns/" + i, 1000 + i));
        }
        return entries;
    }

    @Test
    void equalStatesHaveEqualDigestsInAnyOrder() {
        List<Entry> shuffled = entries(1000);
        Collections.shuffle(shuffled, new Random(1));
        assertThat(digest(shuffled).sameAs(digest(entries(1000)))).isTrue();
        assertThat(digest(List.of()).sameAs(new StateDigest())).isTrue();
    }

    @Test
    void eachDifferenceShows() {
        StateDigest whole = digest(entries(100));
        for (int i = 0; i < 100; i++) {
            List<Entry> changed = entries(100);
            Entry entry = changed.get(i);
            changed.set(i, new Entry(entry.key(), entry.revision() + 1));
            assertThat(digest(changed).sameAs(whole)).isFalse();
            changed.set(i, new Entry(entry.key() + "x", entry.revision()));
            assertThat(digest(changed).sameAs(whole)).isFalse();
            changed.remove(i);
            assertThat(digest(changed).sameAs(whole)).isFalse();
        }
        List<Entry> swapped = entries(100);
        swapped.set(0, new Entry(swapped.get(0).key(), swapped.get(1).revision()));
        swapped.set(1, new Entry(swapped.get(1).key(), swapped.get(0).revision() - 1));
        assertThat(digest(swapped).sameAs(whole)).isFalse();
    }
}
