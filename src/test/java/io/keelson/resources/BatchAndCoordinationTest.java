package io.keelson.resources;

import static io.keelson.resources.TestingKind.UID;
import static io.keelson.resources.TestingKind.json;
import static io.keelson.resources.TestingKind.specWithout;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.PropagationPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BatchAndCoordinationTest {
    private static final String TEMPLATE =
            "'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'busybox'}]}}";

    private final TestingKind jobs = TestingKind.of("Job");
    private final TestingKind cronJobs = TestingKind.of("CronJob");

    private static String cronJob(String schedule) {
        return "{'spec':{'schedule':'" + schedule + "','jobTemplate':{'spec':{" + TEMPLATE + "}}}}";
    }

    @Test
    void smallest_job_is_filled_in_and_selects_by_its_uid() {
        ObjectNode job = jobs.created("{'spec':{" + TEMPLATE + "}}");
        assertThat(specWithout(job, "template")).isEqualTo(json("""
                                {'backoffLimit':6,'completionMode':'NonIndexed','completions':1,'manualSelector':false,
                                'parallelism':1,'podReplacementPolicy':'TerminatingOrFailed','selector':{'matchLabels':
                                {'batch.kubernetes.io/controller-uid':'UID'}},'suspend':false}""".replace("UID", UID)));
        ObjectNode labels = json("""
                {'batch.kubernetes.io/controller-uid':'UID','batch.kubernetes.io/job-name':'x','controller-uid':'UID',
                'job-name':'x'}""".replace("UID", UID));
        assertThat(job.at("/spec/template/metadata/labels")).isEqualTo(labels);
        assertThat(job.at("/metadata/labels")).isEqualTo(labels);
        assertThat(jobs.cells(job))
                .containsExactly(
                        "x", "Running", "0/1", "", "60s", "c", "busybox", "batch.kubernetes.io/controller-uid=" + UID);
        assertThat(jobs.definition().strategy().defaultPropagation()).isEqualTo(PropagationPolicy.ORPHAN);
    }

    @Test
    void job_shows_how_it_ended() {
        ObjectNode job = jobs.created("{'spec':{" + TEMPLATE + "}}");
        job.set("status", json("""
                        {'succeeded':1,'startTime':'2026-01-01T00:00:10Z','completionTime':'2026-01-01T00:00:40Z',
                        'conditions':[{'type':'SuccessCriteriaMet','status':'True'},{'type':'Complete','status':'True'}]}"""));
        assertThat(jobs.cells(job)).startsWith("x", "Complete", "1/1", "30s");
    }

    @Test
    void pods_of_jobs_end() {
        assertThat(jobs.faults("{'spec':{" + TEMPLATE.replace("'restartPolicy':'Never',", "") + "}}"))
                .containsExactly(
                        "spec.template.spec.restartPolicy: Required value: valid values: \"OnFailure\", \"Never\"");
    }

    @Test
    void job_keeps_selector_template_and_completions() {
        ObjectNode job = jobs.created("{'spec':{" + TEMPLATE + "}}");
        assertThat(jobs.updateFaults(job, one -> ((ObjectNode) one.get("spec")).put("completions", 2)))
                .containsExactly("spec.completions: Invalid value: 2: field is immutable");
        assertThat(jobs.updateFaults(
                        job, one -> ((ObjectNode) one.at("/spec/template/spec/containers/0")).put("image", "b")))
                .singleElement()
                .asString()
                .startsWith("spec.template: Invalid value: ")
                .endsWith(": field is immutable");
        assertThat(jobs.updateFaults(job, one -> ((ObjectNode) one.get("spec")).put("parallelism", 2)))
                .isEmpty();
    }

    @Test
    void smallest_cron_job_is_filled_in() {
        ObjectNode job = cronJobs.created(cronJob("*/5 * * * *"));
        assertThat(specWithout(job, "jobTemplate")).isEqualTo(json("""
                                {'schedule':'*/5 * * * *','concurrencyPolicy':'Allow','suspend':false,
                                'successfulJobsHistoryLimit':3,'failedJobsHistoryLimit':1}"""));
        assertThat(job.at("/spec/jobTemplate/spec").has("backoffLimit")).isFalse();
        assertThat(job.at("/spec/jobTemplate/spec/template/spec/dnsPolicy").asText())
                .isEqualTo("ClusterFirst");
        assertThat(cronJobs.cells(job))
                .containsExactly("x", "*/5 * * * *", "<none>", "False", 0, "<none>", "60s", "c", "busybox", "<none>");
        assertThat(cronJobs.definition().nameRule().apply("a".repeat(53)))
                .containsExactly("must be no more than 52 characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0 0 * * *", "*/15 0-6 1,15 JAN-mar mon", "@hourly", "@every 1h30m", "? * ? * 6"})
    void schedules_are_understood(String schedule) {
        assertThat(cronJobs.faults(cronJob(schedule))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "often | expected exactly 5 fields, found 1: [often]",
                "60 * * * * | end of range (60) above maximum (59): 60",
                "* * 0 * * | beginning of range (0) below minimum (1): 0",
                "5-1 * * * * | beginning of range (5) beyond end of range (1): 5-1",
                "*/0 * * * * | step of range should be a positive number: */0",
                "x * * * * | failed to parse int from x",
                "@often | unrecognized descriptor: @often"
            })
    void bad_schedules_are_refused(String schedule, String why) {
        assertThat(cronJobs.faults(cronJob(schedule)))
                .containsExactly("spec.schedule: Invalid value: \"" + schedule + "\": " + why);
    }

    @Test
    void time_zone_must_be_known() {
        String zoned =
                "{'spec':{'timeZone':'Mars/Olympus','schedule':'@daily','jobTemplate':{'spec':{" + TEMPLATE + "}}}}";
        assertThat(cronJobs.faults(zoned))
                .containsExactly("spec.timeZone: Invalid value: \"Mars/Olympus\": unknown time zone Mars/Olympus");
        assertThat(cronJobs.faults(zoned.replace("Mars/Olympus", "Europe/Vienna")))
                .isEmpty();
    }

    @Test
    void lease_shows_its_holder() {
        var leases = TestingKind.of("Lease");
        assertThat(leases.cells(leases.created("{'spec':{'holderIdentity':'me','leaseDurationSeconds':15}}")))
                .containsExactly("x", "me", "60s");
        assertThat(leases.faults("{'spec':{'leaseDurationSeconds':0}}"))
                .containsExactly("spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0");
        assertThat(leases.definition().strategy().allowUnconditionalUpdate()).isFalse();
    }
}
