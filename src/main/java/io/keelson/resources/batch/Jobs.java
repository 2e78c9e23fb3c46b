package io.keelson.resources.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.SelectableFields;
import io.keelson.registry.Ages;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;

/** Jobs: pods that run until their work is done. */
public final class Jobs {
    private static final String PREFIX = "batch.kubernetes.io/";

    /** Conditions in the order in which they decide what the table shows. */
    private static final List<String> CONDITIONS =
            List.of("Complete", "Failed", "SuccessCriteriaMet", "FailureTarget", "Suspended");

    private Jobs() {}

    public static ResourceDefinition definition() {
        List<Column> containers = Cells.containers("spec", "template", "spec");
        return ResourceDefinition.of("batch", "v1", "Job", "jobs")
                .categories("all")
                .strategy(new JobStrategy())
                .defaults(Defaults.of(Jobs::fill))
                .selectableFields(SelectableFields.withPaths(
                        Map.of("status.successful", "0"), Map.of("status.successful", "status.succeeded")))
                .columns(
                        Column.of("Status", "string", "How far the job is, in one word.", (job, now) -> status(job)),
                        Column.of(
                                "Completions",
                                "string",
                                "How many pods have succeeded, and how many are to.",
                                (job, now) -> completions(job)),
                        Column.of("Duration", "string", "How long it took or takes.", (job, now) -> duration(job, now)),
                        Column.AGE,
                        containers.getFirst(),
                        containers.getLast(),
                        Cells.selector("spec", "selector"))
                .build();
    }

    private static void fill(ObjectNode job) {
        JobSpecs.defaults(Trees.child(job, "spec"));
        labelLikeTemplate(job);
    }

    private static void labelLikeTemplate(ObjectNode job) {
        ObjectNode metadata = Trees.child(job, "metadata");
        JsonNode labels = Trees.at(job, "spec", "template", "metadata", "labels");
        if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
            metadata.set("labels", labels.deepCopy());
        }
    }

    private static String status(ObjectNode job) {
        var conditions = Trees.objects(Trees.at(job, "status", "conditions")).stream()
                .filter(one -> Trees.text(one, "status").equals("True"))
                .map(one -> Trees.text(one, "type"))
                .toList();
        for (String condition : CONDITIONS) {
            if (conditions.contains(condition)) {
                return condition;
            }
        }
        return Cells.isDeleting(job) ? "Terminating" : "Running";
    }

    private static String completions(ObjectNode job) {
        JsonNode spec = job.path("spec");
        long succeeded = Trees.at(job, "status", "succeeded").asLong();
        if (Trees.has(spec, "completions")) {
            return succeeded + "/" + spec.path("completions").asLong();
        }
        long parallelism = spec.path("parallelism").asLong();
        return succeeded + "/1" + (parallelism > 1 ? " of " + parallelism : "");
    }

    private static String duration(ObjectNode job, Instant now) {
        String start = Trees.text(job, "status", "startTime");
        String end = Trees.text(job, "status", "completionTime");
        try {
            if (start.isEmpty()) {
                return "";
            }
            return Ages.human(Duration.between(Instant.parse(start), end.isEmpty() ? now : Instant.parse(end)));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }

    private static final class JobStrategy extends BasicStrategy {
        JobStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode job) {
            super.prepareForCreate(context, job);
            ObjectNode spec = Trees.child(job, "spec");
            if (!spec.path("manualSelector").asBoolean()) {
                selectByUid(job, spec);
            }
            labelLikeTemplate(job);
        }

        /** A job's pods carry its uid, so that no other job's selector meets them. */
        private static void selectByUid(ObjectNode job, ObjectNode spec) {
            String uid = Trees.text(job, "metadata", "uid");
            String name = Trees.text(job, "metadata", "name");
            ObjectNode labels = Trees.child(Trees.child(Trees.child(spec, "template"), "metadata"), "labels");
            labels.put("controller-uid", uid).put("job-name", name);
            labels.put(PREFIX + "controller-uid", uid).put(PREFIX + "job-name", name);
            Trees.child(spec, "selector", "matchLabels").put(PREFIX + "controller-uid", uid);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode job) {
            var faults = new Faults();
            JsonNode spec = job.path("spec");
            JobSpecs.check(faults, "spec", spec);
            JsonNode selector = spec.path("selector");
            if (!selector.isObject()) {
                faults.required("spec.selector", "");
            } else {
                Selectors.check(faults, "spec.selector", selector);
                JsonNode labels = Trees.at(spec, "template", "metadata", "labels");
                if (!Selectors.matches(selector, labels)) {
                    faults.invalid(
                            "spec.template.metadata.labels", labels, "`selector` does not match template `labels`");
                }
            }
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode job, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, job));
            boolean elastic = Trees.text(job, "spec", "completionMode").equals("Indexed")
                    && Trees.at(job, "spec", "completions").equals(Trees.at(job, "spec", "parallelism"));
            if (!elastic) {
                faults.immutableSpec(job, old, "completions");
            }
            faults.immutableSpec(job, old, "selector");
            boolean neverStarted = Trees.at(old, "spec", "suspend").asBoolean()
                    && Trees.text(old, "status", "startTime").isEmpty();
            if (!neverStarted) {
                faults.immutableSpec(job, old, "template");
            }
            faults.immutableSpec(job, old, "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy");
            return faults.list();
        }

        @Override
        public String propagationWarning() {
            return "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove"
                    + " them or set propagationPolicy=Orphan to suppress this warning";
        }

        @Override
        public PropagationPolicy defaultPropagation() {
            return PropagationPolicy.ORPHAN;
        }
    }
}
