package io.keelson.bench;

import io.keelson.api.ApiObject;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What another resourceVersion in an object's bytes costs, beside copying them. */
@State(Scope.Benchmark)
public class SpliceBenchmark {
    private final ApiObject object = Samples.objects(1).getFirst();

    @Benchmark
    public Object splice() {
        return object.withResourceVersion(123_456);
    }

    /** A copy of the bytes. */
    @Benchmark
    public Object reference() {
        return object.json().clone();
    }
}
