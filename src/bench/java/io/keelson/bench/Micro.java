package io.keelson.bench;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * Runs the JMH benchmarks and prints each beside the reference of its class, measured in the same run. Takes JMH's own
 * arguments: a regular expression picks benchmarks, {@code -h} lists all.
 */
public final class Micro {
    /** Short runs: the ratios matter, and they are stable after a second. {@code -w}, {@code -r}, … change them. */
    private static final TimeValue ITERATION = TimeValue.milliseconds(500);

    private static final int ITERATIONS = 5;

    private Micro() {}

    public static void main(String... arguments) throws RunnerException, CommandLineOptionException {
        var given = new CommandLineOptions(arguments);
        if (given.shouldHelp()) {
            System.out.println("Runs benchmarks whose names a regular expression matches (all without one): "
                    + "Decode, Splice, Selector, Ring, Dispatch, State, List. Other arguments are JMH's: -f forks, "
                    + "-wi and -i iterations, -w and -r their length, -p name=value parameters, -prof gc, …");
            return;
        }
        var options = new OptionsBuilder()
                .parent(given)
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.MICROSECONDS)
                .forks(given.getForkCount().orElse(1))
                .warmupIterations(given.getWarmupIterations().orElse(ITERATIONS))
                .warmupTime(given.getWarmupTime().orElse(ITERATION))
                .measurementIterations(given.getMeasurementIterations().orElse(ITERATIONS))
                .measurementTime(given.getMeasurementTime().orElse(ITERATION))
                .jvmArgs("-Xmx1g", "--sun-misc-unsafe-memory-access=allow")
                .build();
        print(new Runner(options).run());
    }

    private static void print(Collection<RunResult> results) {
        Map<String, Double> references = new HashMap<>();
        for (RunResult result : results) {
            if (method(result).equals("reference")) {
                references.put(group(result), result.getPrimaryResult().getScore());
            }
        }
        System.out.printf("%n%-44s %12s %12s %14s%n", "benchmark", "µs/op", "± µs", "x reference");
        results.stream().sorted(Comparator.comparing(Micro::group)).forEach(result -> {
            double score = result.getPrimaryResult().getScore();
            double reference = Objects.requireNonNullElse(references.get(group(result)), Double.NaN);
            System.out.printf(
                    "%-44s %12.3f %12.3f %14.2f%n",
                    group(result) + " " + method(result),
                    score,
                    result.getPrimaryResult().getScoreError(),
                    score / reference);
        });
    }

    private static String method(RunResult result) {
        String name = result.getParams().getBenchmark();
        return name.substring(name.lastIndexOf('.') + 1);
    }

    /** The class and the parameters, which a benchmark shares with its reference. */
    private static String group(RunResult result) {
        String name = result.getParams().getBenchmark();
        String type = name.substring(0, name.lastIndexOf('.'));
        var group = new StringBuilder(type.substring(type.lastIndexOf('.') + 1).replace("Benchmark", ""));
        for (String key : result.getParams().getParamsKeys()) {
            group.append(' ').append(result.getParams().getParam(key));
        }
        return group.toString();
    }
}
