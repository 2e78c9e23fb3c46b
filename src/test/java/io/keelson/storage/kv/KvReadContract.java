package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.storage.StorageException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract of get, range, count and status. */
public interface KvReadContract extends KvContext {
    @Test
    default void getOfAnAbsentKeyTellsTheRevision() {
        long before = store().currentRevision();
        KvStore.GetResult read = store().get(key("absent"));
        assertThat(read.kv()).isNull();
        assertThat(read.revision()).isEqualTo(before).isPositive();
    }

    @Test
    default void getBringsTheLastWrite() {
        long created = create("a", "1");
        long changed = put("a", "2", created);
        create("b", "other");
        KvStore.GetResult read = store().get(key("a"));
        assertThat(read.kv()).isNotNull();
        assertThat(read.kv().key()).isEqualTo(key("a"));
        assertThat(KvContext.text(read.kv().value())).isEqualTo("2");
        assertThat(read.kv().createRevision()).isEqualTo(created);
        assertThat(read.kv().modRevision()).isEqualTo(changed);
        assertThat(read.kv().version()).isEqualTo(2);
        assertThat(read.kv().lease()).isZero();
        assertThat(read.revision()).isEqualTo(changed + 1);
    }

    @Test
    default void rangeIsSortedByBytes() {
        for (String name : List.of("b", "a/z", "a", "a-b", "ab", "B", "\u00e9", "\uff5e", "\ud83d\ude00")) {
            create(name, name);
        }
        KvStore.RangeResult all = store().range(start(), end(), 0, 100);
        assertThat(names(all)).containsExactly("B", "a", "a-b", "a/z", "ab", "b", "\u00e9", "\uff5e", "\ud83d\ude00");
        assertThat(all.count()).isEqualTo(9);
        assertThat(all.more()).isFalse();
    }

    @Test
    default void rangeBoundsAreInclusiveAndExclusive() {
        List.of("a", "b", "b/1", "b0", "c").forEach(name -> create(name, name));
        assertThat(names(store().range(key("b"), key("c"), 0, 10))).containsExactly("b", "b/1", "b0");
        assertThat(names(store().range(key("b/"), key("b0"), 0, 10))).containsExactly("b/1");
        assertThat(names(store().range(key("b"), key("b") + "\0", 0, 10))).containsExactly("b");
        assertThat(names(store().range(key("b") + "\0", key("c"), 0, 10))).containsExactly("b/1", "b0");
        assertThat(names(store().range(key("x"), key("y"), 0, 10))).isEmpty();
        assertThat(store().count(key("b"), key("c"))).isEqualTo(3);
        assertThat(store().count(key("x"), key("y"))).isZero();
    }

    @Test
    default void limitCutsTheRangeAndCountsItAll() {
        List.of("a", "b", "c", "d", "e").forEach(name -> create(name, name));
        KvStore.RangeResult first = store().range(start(), end(), 0, 2);
        assertThat(names(first)).containsExactly("a", "b");
        assertThat(first.count()).isEqualTo(5);
        assertThat(first.more()).isTrue();

        KvStore.RangeResult second = store().range(key("b") + "\0", end(), 0, 2);
        assertThat(names(second)).containsExactly("c", "d");
        assertThat(second.count()).isEqualTo(3);
        assertThat(second.more()).isTrue();

        KvStore.RangeResult last = store().range(key("c") + "\0", end(), 0, 2);
        assertThat(names(last)).containsExactly("d", "e");
        assertThat(last.count()).isEqualTo(2);
        assertThat(last.more()).isFalse();
    }

    @Test
    default void rangeTellsTheRevisionItWasReadAt() {
        long created = create("a", "1");
        KvStore.RangeResult now = store().range(start(), end(), 0, 10);
        assertThat(now.revision()).isEqualTo(created);
        assertThat(now.kvs().getFirst().modRevision()).isEqualTo(created);
        assertThat(now.kvs().getFirst().createRevision()).isEqualTo(created);
        assertThat(now.kvs().getFirst().version()).isEqualTo(1);
    }

    @Test
    default void rangeAtAnOldRevisionShowsThatState() {
        long before = store().currentRevision();
        long a1 = create("a", "1");
        long b1 = create("b", "1");
        long a2 = put("a", "2", a1);
        long c1 = create("c", "1");
        long bGone = delete("b", b1);
        long b2 = create("b", "again");

        assertThat(state(before)).isEmpty();
        assertThat(state(a1)).containsExactly("a=1");
        assertThat(state(b1)).containsExactly("a=1", "b=1");
        assertThat(state(a2)).containsExactly("a=2", "b=1");
        assertThat(state(c1)).containsExactly("a=2", "b=1", "c=1");
        assertThat(state(bGone)).containsExactly("a=2", "c=1");
        assertThat(state(b2)).containsExactly("a=2", "b=again", "c=1");
    }

    @Test
    default void rangeAtAnOldRevisionPagesAndCountsThatState() {
        for (int i = 0; i < 9; i++) {
            create("k" + i, "old");
        }
        long pinned = store().currentRevision();
        delete("k4", store().get(key("k4")).kv().modRevision());
        put("k6", "new", store().get(key("k6")).kv().modRevision());
        create("k5a", "new");

        KvStore.RangeResult page = store().range(key("k3"), end(), pinned, 4);
        assertThat(names(page)).containsExactly("k3", "k4", "k5", "k6");
        assertThat(page.kvs())
                .allSatisfy(kv -> assertThat(KvContext.text(kv.value())).isEqualTo("old"));
        assertThat(page.count()).isEqualTo(6);
        assertThat(page.more()).isTrue();
        assertThat(page.revision()).isEqualTo(pinned + 3);

        KvStore.RangeResult rest = store().range(key("k6") + "\0", end(), pinned, 4);
        assertThat(names(rest)).containsExactly("k7", "k8");
        assertThat(rest.count()).isEqualTo(2);
        assertThat(rest.more()).isFalse();
    }

    @Test
    default void aFutureRevisionIsRefused() {
        long now = create("a", "1");
        assertThatThrownBy(() -> store().range(start(), end(), now + 100, 10))
                .isInstanceOf(StorageException.TooLargeResourceVersion.class);
    }

    @Test
    default void statusIsReadFromTheStore() {
        long revision = create("a", "1");
        StoreStatus status = store().status();
        assertThat(status.type()).isIn("embedded", "etcd3");
        assertThat(status.version()).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(status.members()).isNotEmpty();
        assertThat(status.databaseBytes()).isPositive();
        assertThat(status.revision()).isEqualTo(revision);
    }

    private List<String> names(KvStore.RangeResult result) {
        return result.kvs().stream()
                .map(kv -> kv.key().substring(start().length()))
                .toList();
    }

    private List<String> state(long revision) {
        KvStore.RangeResult result = store().range(start(), end(), revision, 100);
        assertThat(result.count()).isEqualTo(result.kvs().size());
        assertThat(result.kvs()).allSatisfy(kv -> assertThat(kv.modRevision()).isLessThanOrEqualTo(revision));
        return result.kvs().stream()
                .map(kv -> kv.key().substring(start().length()) + "=" + KvContext.text(kv.value()))
                .toList();
    }
}
