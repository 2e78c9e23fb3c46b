package io.keelson.bench;

import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;
import io.keelson.storage.SelectionPredicate;
import java.util.HashMap;
import java.util.Map;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What judging one object costs, beside a look into a hash map. */
@State(Scope.Benchmark)
public class SelectorBenchmark {
    private final ApiObject object = Samples.objects(8).getLast();
    private final SelectionPredicate equal = predicate("shard=s7", FieldSelector.EVERYTHING);
    private final SelectionPredicate several =
            predicate("app in (bench,other),shard!=s8,!gone", FieldSelector.EVERYTHING);
    private final SelectionPredicate field = predicate("", FieldSelector.parse("metadata.name=sample-00007"));
    private final Map<String, String> labels = new HashMap<>(Map.of("app", "bench", "shard", "s7"));

    private static SelectionPredicate predicate(String labels, FieldSelector fields) {
        return new SelectionPredicate(LabelSelector.parse(labels), fields, SelectableFields.NONE);
    }

    @Benchmark
    public boolean oneLabel() {
        return equal.matches(object);
    }

    @Benchmark
    public boolean threeRequirements() {
        return several.matches(object);
    }

    @Benchmark
    public boolean oneField() {
        return field.matches(object);
    }

    /** A hash map's entry compared. */
    @Benchmark
    public boolean reference() {
        return "s7".equals(labels.get("shard"));
    }
}
