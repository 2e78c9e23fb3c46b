package io.keelson.resources.batch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.pods.PodTemplates;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;

/** Cron jobs: jobs that start by the clock. */
public final class CronJobs {
    /** The longest name, in characters: 11 more must fit behind it in the names of its jobs. */
    private static final int MAX_NAME = 52;

    private static final List<String> CONCURRENCY = List.of("Allow", "Forbid", "Replace");
    private static final int KEPT_SUCCESSFUL = 3;
    private static final int KEPT_FAILED = 1;

    private CronJobs() {}

    public static ResourceDefinition definition() {
        List<Column> containers = Cells.containers("spec", "jobTemplate", "spec", "template", "spec");
        return ResourceDefinition.of("batch", "v1", "CronJob", "cronjobs")
                .shortNames("cj")
                .categories("all")
                .strategy(new CronJobStrategy())
                .nameRule(CronJobs::nameFaults)
                .defaults(Defaults.of(CronJobs::fill))
                .columns(
                        Cells.text("Schedule", "When jobs start.", "spec", "schedule"),
                        Column.of(
                                "Timezone",
                                "string",
                                "Whose clock it goes by.",
                                (job, now) -> Cells.orNone(Trees.text(job, "spec", "timeZone"))),
                        Column.of(
                                "Suspend",
                                "boolean",
                                "Whether no more jobs start.",
                                (job, now) -> Trees.at(job, "spec", "suspend").asBoolean() ? "True" : "False"),
                        Column.of(
                                "Active",
                                "integer",
                                "How many of its jobs are running.",
                                (job, now) -> Trees.at(job, "status", "active").size()),
                        Column.of(
                                "Last Schedule",
                                "string",
                                "How long ago a job started.",
                                (job, now) -> Cells.since(Trees.at(job, "status", "lastScheduleTime"), now)),
                        Column.AGE,
                        containers.getFirst(),
                        containers.getLast(),
                        Cells.selector("spec", "jobTemplate", "spec", "selector"))
                .build();
    }

    private static List<String> nameFaults(String name) {
        var faults = new ArrayList<>(Names.subdomain(name));
        if (name.length() > MAX_NAME) {
            faults.add("must be no more than " + MAX_NAME + " characters");
        }
        return faults;
    }

    private static void fill(ObjectNode job) {
        ObjectNode spec = Trees.child(job, "spec");
        Trees.fill(spec, "concurrencyPolicy", "Allow");
        Trees.fill(spec, "suspend", false);
        Trees.fill(spec, "successfulJobsHistoryLimit", KEPT_SUCCESSFUL);
        Trees.fill(spec, "failedJobsHistoryLimit", KEPT_FAILED);
        ObjectNode template = Trees.child(spec, "jobTemplate");
        Trees.child(template, "metadata");
        PodTemplates.defaults(Trees.child(template, "spec"));
    }

    private static final class CronJobStrategy extends BasicStrategy {
        CronJobStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode job) {
            var faults = new Faults();
            JsonNode spec = job.path("spec");
            checkSchedule(faults, spec);
            faults.notNegative("spec.startingDeadlineSeconds", spec.path("startingDeadlineSeconds"));
            faults.oneOf("spec.concurrencyPolicy", spec.path("concurrencyPolicy"), CONCURRENCY);
            JsonNode jobSpec = Trees.at(spec, "jobTemplate", "spec");
            faults.labels("spec.jobTemplate.labels", Trees.at(spec, "jobTemplate", "metadata", "labels"));
            JobSpecs.check(faults, "spec.jobTemplate.spec", jobSpec);
            if (jobSpec.has("selector")) {
                faults.invalid(
                        "spec.jobTemplate.spec.selector",
                        jobSpec.path("selector"),
                        "`selector` will be auto-generated");
            }
            if (jobSpec.path("manualSelector").asBoolean()) {
                faults.oneOfIfSet(
                        "spec.jobTemplate.spec.manualSelector",
                        jobSpec.path("manualSelector"),
                        List.of("nil", "false"));
            }
            faults.notNegative("spec.successfulJobsHistoryLimit", spec.path("successfulJobsHistoryLimit"));
            faults.notNegative("spec.failedJobsHistoryLimit", spec.path("failedJobsHistoryLimit"));
            return faults.list();
        }

        private static void checkSchedule(Faults faults, JsonNode spec) {
            String schedule = Trees.text(spec, "schedule");
            if (schedule.contains("TZ")) {
                faults.invalid(
                        "spec.schedule", schedule, "cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
            } else if (faults.present("spec.schedule", spec.path("schedule"))) {
                String fault = CronSchedules.fault(schedule);
                if (fault != null) {
                    faults.invalid("spec.schedule", schedule, fault);
                }
            }
            if (Trees.has(spec, "timeZone")) {
                checkTimeZone(faults, Trees.text(spec, "timeZone"));
            }
        }

        private static void checkTimeZone(Faults faults, String zone) {
            if (zone.isEmpty()) {
                faults.invalid("spec.timeZone", zone, "timeZone must be nil or non-empty string");
            } else if (!isZone(zone)) {
                faults.invalid("spec.timeZone", zone, "unknown time zone " + zone);
            }
        }

        private static boolean isZone(String zone) {
            try {
                return ZoneId.getAvailableZoneIds().contains(ZoneId.of(zone).getId());
            } catch (DateTimeException e) {
                return false;
            }
        }
    }
}
