package io.keelson.resources;

import static io.keelson.registry.TestingRegistry.in;
import static io.keelson.registry.TestingRegistry.json;
import static io.keelson.registry.TestingRegistry.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;
import io.keelson.api.WatchEventType;
import io.keelson.registry.Admission;
import io.keelson.registry.ConvertedRest;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.StatusRest;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.autoscaling.Autoscalers;
import io.keelson.resources.core.Events;
import io.keelson.resources.events.EventsV1;
import io.keelson.storage.ListOptions;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.WatchReader;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServedVersionsTest {
    private static final String EVENT = """
            {'metadata':{'name':'e'},'eventTime':'2030-01-01T00:00:00.000000Z','regarding':{'kind':'Pod','name':'p',
            'namespace':'n'},'reason':'Started','action':'Start','type':'Normal','note':'hello','reportingController':
            'example.com/c','reportingInstance':'c-1'}""";

    private final TestingRegistry registry =
            new TestingRegistry(List.of(Events.definition(), Autoscalers.v2()), Admission.ALL, true);
    private final RegistryStore core = registry.store("events");
    private final ConvertedRest events = new ConvertedRest(EventsV1.definition(), core);
    private final RegistryStore second = registry.store("horizontalpodautoscalers");
    private final ConvertedRest first = new ConvertedRest(Autoscalers.v1(), second);

    @AfterEach
    void close() {
        registry.close();
    }

    private static ListOptions byField(String selector) {
        return ListOptions.LATEST.withPredicate(
                new SelectionPredicate(LabelSelector.EVERYTHING, FieldSelector.parse(selector), SelectableFields.NONE));
    }

    @Test
    void one_object_shows_in_both_versions_at_one_revision() {
        ApiObject made = events.create(in("n"), "", json(EVENT));
        ObjectNode here = tree(made);
        assertThat(here.path("apiVersion").asText()).isEqualTo("events.k8s.io/v1");
        assertThat(here.path("note").asText()).isEqualTo("hello");
        assertThat(here.has("message")).isFalse();
        ApiObject stored = core.get(in("n"), "e", null);
        assertThat(stored.resourceVersion()).isEqualTo(made.resourceVersion());
        ObjectNode there = tree(stored);
        assertThat(there.path("apiVersion").asText()).isEqualTo("v1");
        assertThat(there.path("message").asText()).isEqualTo("hello");
        assertThat(there.path("involvedObject").path("name").asText()).isEqualTo("p");
        assertThat(there.path("reportingComponent").asText()).isEqualTo("example.com/c");
        assertThat(tree(events.get(in("n"), "e", null))).isEqualTo(here);
        assertThat(here.path("metadata")).isEqualTo(there.path("metadata"));
    }

    @Test
    void applies_what_is_in_the_version() {
        var applied = new RestStorage.AppliedConfiguration(json(EVENT), false);
        RestStorage.Updated made = events.apply(in("n"), "e", applied);
        assertThat(made.created()).isTrue();
        assertThat(tree(made.object()).path("note").asText()).isEqualTo("hello");
        assertThat(tree(core.get(in("n"), "e", null)).path("message").asText()).isEqualTo("hello");
        RestStorage.Updated again = events.apply(in("n"), "e", applied);
        assertThat(again.object().resourceVersion()).isEqualTo(made.object().resourceVersion());
    }

    @Test
    void owners_are_recorded_in_the_version_that_they_write_in() {
        ObjectNode made = tree(events.create(in("n"), "", json(EVENT)));
        assertThat(made.at("/metadata/managedFields/0/apiVersion").asText()).isEqualTo("events.k8s.io/v1");
        assertThat(made.at("/metadata/managedFields/0/fieldsV1").has("f:note")).isTrue();
        assertThat(made.at("/metadata/managedFields/0/fieldsV1").has("f:message"))
                .isFalse();

        var _ = core.update(in("n"), "e", TestingRegistry.changing(event -> event.put("message", "other")));
        ObjectNode changed = tree(core.get(in("n"), "e", null));
        assertThat(changed.at("/metadata/managedFields")).hasSize(2);
        assertThat(changed.at("/metadata/managedFields/1/apiVersion").asText()).isEqualTo("v1");
        assertThat(changed.at("/metadata/managedFields/1/fieldsV1")).isEqualTo(json("{'f:message':{}}"));
        assertThat(changed.at("/metadata/managedFields/0/fieldsV1").has("f:note"))
                .isFalse();
    }

    @Test
    void an_applier_of_a_version_owns_fields_by_its_names() {
        var applied = new RestStorage.AppliedConfiguration(
                json(
                        "{'metadata':{'name':'h'},'spec':{'maxReplicas':3,'scaleTargetRef':{'kind':'Deployment','name':'d','apiVersion':'apps/v1'},"
                                + "'targetCPUUtilizationPercentage':50}}"),
                false);
        ObjectNode made = tree(first.apply(in("n"), "h", applied).object());
        assertThat(made.at("/metadata/managedFields/0/apiVersion").asText()).isEqualTo("autoscaling/v1");
        assertThat(made.at("/metadata/managedFields/0/fieldsV1/f:spec").has("f:targetCPUUtilizationPercentage"))
                .isTrue();
        RestStorage.Updated again = first.apply(in("n"), "h", applied);
        assertThat(tree(again.object())).isEqualTo(made);
    }

    @Test
    void lists_select_by_the_names_of_the_version() {
        events.create(in("n"), "", json(EVENT));
        assertThat(events.list(in("n"), byField("regarding.name=p,reportingController=example.com/c"))
                        .items())
                .singleElement()
                .satisfies(
                        event -> assertThat(tree(event).path("kind").asText()).isEqualTo("Event"));
        assertThat(events.list(in("n"), byField("regarding.name=q")).items()).isEmpty();
        ApiException refused =
                catchThrowableOfType(ApiException.class, () -> events.list(in("n"), byField("involvedObject.name=p")));
        assertThat(refused.status().code()).isEqualTo(400);
    }

    @Test
    void each_version_is_told_of_what_is_written_in_the_other() {
        long start = core.currentResourceVersion();
        try (var here = new WatchReader(
                        events.watch(in("n"), "", byField("regarding.name=p").withResourceVersion(start)));
                var there = new WatchReader(core.watch(in("n"), "", ListOptions.LATEST.withResourceVersion(start)))) {
            events.create(in("n"), "", json(EVENT));
            assertThat(tree(here.next().object()).path("note").asText()).isEqualTo("hello");
            assertThat(tree(there.next().object()).path("message").asText()).isEqualTo("hello");
            core.delete(in("n"), "e", DeleteOptions.NONE);
            var gone = here.next();
            assertThat(gone.type()).isEqualTo(WatchEventType.DELETED);
            assertThat(tree(gone.object()).path("regarding").path("name").asText())
                    .isEqualTo("p");
        }
    }

    @Test
    void a_version_has_rules_of_its_own() {
        ApiException refused = catchThrowableOfType(
                ApiException.class,
                () -> events.create(in("n"), "", json("{'metadata':{'name':'e'},'type':'Normal'}")));
        assertThat(refused.status().message())
                .isEqualTo("Event.events.k8s.io \"e\" is invalid: eventTime: Required value");
        core.create(in("n"), "", json("{'metadata':{'name':'old'},'involvedObject':{'namespace':'n'},'count':2}"));
        ObjectNode old = tree(events.get(in("n"), "old", null));
        assertThat(old.path("deprecatedCount").asInt()).isEqualTo(2);
        assertThat(old.has("reportingController")).isFalse();
        events.create(in("n"), "", json(EVENT));
        ApiException changed = catchThrowableOfType(
                ApiException.class, () -> events.update(in("n"), "e", object -> object.put("note", "other")));
        assertThat(changed.status().message()).contains("note: Invalid value: \"other\": field is immutable");
        events.update(in("n"), "e", object -> {
            object.putObject("series").put("count", 2).put("lastObservedTime", "2030-01-01T00:00:01.000000Z");
            return object;
        });
        assertThat(tree(core.get(in("n"), "e", null))
                        .path("series")
                        .path("count")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void what_the_first_version_cannot_say_survives_it() {
        second.create(in("n"), "", json("""
                {'metadata':{'name':'h'},'spec':{'scaleTargetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'d'},
                'maxReplicas':3,'behavior':{'scaleDown':{'stabilizationWindowSeconds':60}},'metrics':[
                {'type':'Resource','resource':{'name':'cpu','target':{'type':'Utilization','averageUtilization':50}}},
                {'type':'Pods','pods':{'metric':{'name':'qps'},'target':{'type':'AverageValue','averageValue':'10'}}}]}}"""));
        new StatusRest(second).update(in("n"), "h", object -> {
            object.set("status", json("""
                    {'desiredReplicas':2,'currentReplicas':1,'conditions':[{'type':'AbleToScale','status':'True'}],
                    'currentMetrics':[{'type':'Resource','resource':{'name':'cpu','current':{'averageUtilization':40,
                    'averageValue':'400m'}}}]}"""));
            return object;
        });
        ObjectNode before = tree(second.get(in("n"), "h", null));
        ObjectNode shown = tree(first.get(in("n"), "h", null));
        assertThat(shown.path("apiVersion").asText()).isEqualTo("autoscaling/v1");
        assertThat(shown.at("/spec/targetCPUUtilizationPercentage").asInt()).isEqualTo(50);
        assertThat(shown.at("/status/currentCPUUtilizationPercentage").asInt()).isEqualTo(40);
        assertThat(shown.path("spec").has("metrics")).isFalse();
        assertThat(shown.path("metadata")
                        .path("annotations")
                        .path("autoscaling.alpha.kubernetes.io/metrics")
                        .asText())
                .isEqualTo("[{\"type\":\"Pods\",\"pods\":{\"metricName\":\"qps\",\"targetAverageValue\":\"10\"}}]");
        first.update(in("n"), "h", object -> {
            ((ObjectNode) object.get("spec")).put("maxReplicas", 4);
            return object;
        });
        ObjectNode after = tree(second.get(in("n"), "h", null));
        assertThat(after.at("/spec/maxReplicas").asInt()).isEqualTo(4);
        assertThat(after.at("/spec/metrics/0/type").asText()).isEqualTo("Pods");
        assertThat(after.at("/spec/metrics/1")).isEqualTo(before.at("/spec/metrics/0"));
        assertThat(after.at("/spec/behavior")).isEqualTo(before.at("/spec/behavior"));
        assertThat(after.path("status")).isEqualTo(before.path("status"));
        assertThat(after.path("metadata").has("annotations")).isFalse();
    }

    @Test
    void the_first_version_is_filled_in_and_shows_the_same_table() {
        ApiObject made = first.create(in("n"), "", json("""
                {'metadata':{'name':'h'},'spec':{'maxReplicas':3,'scaleTargetRef':
                {'apiVersion':'apps/v1','kind':'Deployment','name':'d'}}}"""));
        ObjectNode object = tree(made);
        assertThat(object.at("/spec/minReplicas").asInt()).isEqualTo(1);
        assertThat(object.at("/spec/targetCPUUtilizationPercentage").asInt()).isEqualTo(80);
        assertThat(object.path("status")).isEqualTo(json("{'desiredReplicas':0,'currentReplicas':0}"));
        ResourceDefinition definition = first.definition();
        ObjectNode row = definition.tableForm(object.deepCopy());
        assertThat(definition.columns().get(2).cell().read(row, TestingRegistry.NOW))
                .isEqualTo("cpu: <unknown>/80%");
    }
}
