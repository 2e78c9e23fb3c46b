package io.keelson.bench;

import io.keelson.api.ApiObject;
import io.keelson.cacher.store.Cursor;
import io.keelson.cacher.store.PersistentSortedMap;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What a change of the state costs that leaves the snapshot before it whole, beside a change in place. */
@State(Scope.Benchmark)
public class StateBenchmark {
    @Param({"10000", "100000"})
    public int objects;

    private PersistentSortedMap<ApiObject> state = PersistentSortedMap.empty();
    private TreeMap<String, ApiObject> tree = new TreeMap<>();
    private List<String> keys = List.of();
    private List<ApiObject> values = List.of();
    private int next;

    @Setup
    public void setUp() {
        keys = IntStream.range(0, objects).mapToObj(Samples::key).toList();
        values = Samples.objects(objects);
        state = PersistentSortedMap.ofSorted(keys, values);
        tree = new TreeMap<>();
        for (int i = 0; i < objects; i++) {
            tree.put(keys.get(i), values.get(i));
        }
    }

    /** A prime step visits all keys without an order that caches could follow. */
    private int step() {
        next = (next + 7919) % objects;
        return next;
    }

    @Benchmark
    public Object putBesideASnapshot() {
        PersistentSortedMap<ApiObject> snapshot = state;
        state = state.put(keys.get(step()), values.get(next / 2));
        return snapshot;
    }

    @Benchmark
    public Object get() {
        return state.get(keys.get(step()));
    }

    /** A page of 500 out of the middle. */
    @Benchmark
    public long readPage() {
        Cursor<ApiObject> cursor = state.cursor(keys.get(objects / 2), null);
        long revisions = 0;
        for (int i = 0; i < 500 && cursor.next(); i++) {
            revisions += cursor.value().resourceVersion();
        }
        return revisions;
    }

    /** A put into a TreeMap, which has no snapshot. */
    @Benchmark
    public Object reference() {
        return tree.put(keys.get(step()), values.get(next / 2));
    }
}
