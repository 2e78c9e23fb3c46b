package io.keelson.resources.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.pods.PodTemplates;
import java.util.List;

/** A job's spec, alone and in the template of a cron job. */
final class JobSpecs {
    private static final List<String> NUMBERS = List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "backoffLimitPerIndex",
            "maxFailedIndexes");
    private static final List<String> COMPLETION_MODES = List.of("Indexed", "NonIndexed");
    private static final List<String> REPLACEMENTS = List.of("Failed", "TerminatingOrFailed");
    private static final int BACKOFF_LIMIT = 6;

    private JobSpecs() {}

    /** Fills in the spec of a job, not that in a template. */
    static void defaults(ObjectNode spec) {
        PodTemplates.defaults(spec);
        if (!Trees.has(spec, "completions") && !Trees.has(spec, "parallelism")) {
            spec.put("completions", 1).put("parallelism", 1);
        }
        Trees.fill(spec, "parallelism", 1);
        Trees.fill(spec, "backoffLimit", Trees.has(spec, "backoffLimitPerIndex") ? Integer.MAX_VALUE : BACKOFF_LIMIT);
        Trees.fill(spec, "completionMode", "NonIndexed");
        Trees.fill(spec, "suspend", false);
        Trees.fill(spec, "manualSelector", false);
        Trees.fill(
                spec, "podReplacementPolicy", Trees.has(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed");
        for (ObjectNode rule : Trees.objects(Trees.at(spec, "podFailurePolicy", "rules"))) {
            Trees.objects(rule.path("onPodConditions")).forEach(pattern -> Trees.fill(pattern, "status", "True"));
        }
    }

    /** What is wrong with a spec at a path such as {@code spec.jobTemplate.spec}. */
    static void check(Faults faults, String path, JsonNode spec) {
        NUMBERS.forEach(number -> faults.notNegative(path + "." + number, spec.path(number)));
        faults.oneOfIfSet(path + ".completionMode", spec.path("completionMode"), COMPLETION_MODES);
        faults.oneOfIfSet(path + ".podReplacementPolicy", spec.path("podReplacementPolicy"), REPLACEMENTS);
        if (Trees.text(spec, "completionMode").equals("Indexed") && !Trees.has(spec, "completions")) {
            faults.required(path + ".completions", "when completion mode is Indexed");
        }
        JobPolicies.check(faults, path, spec);
        PodTemplates.check(faults, path + ".template", spec.path("template"));
        if (spec.has("podFailurePolicy")
                && !Trees.text(spec, "template", "spec", "restartPolicy").equals("Never")) {
            faults.invalid(
                    path + ".template.spec.restartPolicy",
                    Trees.text(spec, "template", "spec", "restartPolicy"),
                    "only \"Never\" is supported when podFailurePolicy is specified");
        }
        if (Trees.text(spec, "template", "spec", "restartPolicy").equals("Always")) {
            faults.required(path + ".template.spec.restartPolicy", "valid values: \"OnFailure\", \"Never\"");
        }
    }
}
