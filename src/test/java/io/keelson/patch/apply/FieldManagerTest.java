package io.keelson.patch.apply;

import static io.keelson.patch.apply.ApplyFixture.CONFIG_MAP;
import static io.keelson.patch.apply.ApplyFixture.DEPLOYMENT;
import static io.keelson.patch.apply.ApplyFixture.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldManagerTest {
    private static final String WEB = """
            {'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'x'},'spec':{'replicas':2,
             'selector':{'matchLabels':{'app':'a'}},'template':{'metadata':{'labels':{'app':'a'}},
             'spec':{'containers':[{'name':'c','image':'i'}]}}}}""";

    private final ApplyFixture web = new ApplyFixture(DEPLOYMENT);
    private final ApplyFixture map = new ApplyFixture(CONFIG_MAP);

    private static String spec(String fields) {
        return "{'apiVersion':'apps/v1','kind':'Deployment','metadata':{'name':'x'},'spec':{" + fields + "}}";
    }

    private static String data(String fields) {
        return "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x'},'data':{" + fields + "}}";
    }

    private static ApiException failure(Runnable apply) {
        var thrown = new ArrayList<ApiException>();
        assertThatThrownBy(apply::run).isInstanceOfSatisfying(ApiException.class, thrown::add);
        return thrown.getFirst();
    }

    // ---- what a manager comes to own

    @Test
    void applierOwnsTheFieldsItNames() {
        web.apply("one", WEB);

        assertThat(web.fieldsOf("one")).isEqualTo(json("""
                {'f:spec':{'f:replicas':{},'f:selector':{},'f:template':{'f:metadata':{'f:labels':{'f:app':{}}},
                 'f:spec':{'f:containers':{'k:{\\'name\\':\\'c\\'}':{'.':{},'f:image':{},'f:name':{}}}}}}}""".replace("\\'", "\\\"")));
        assertThat(web.entry("one").path("operation").asText()).isEqualTo("Apply");
        assertThat(web.entry("one").path("time").asText()).isEqualTo("2030-01-01T00:00:00Z");
    }

    @Test
    void creatorOwnsWhatGoDoesNotAlwaysWrite() {
        web.update("one", WEB);

        assertThat(web.fieldsOf("one")).isEqualTo(json("""
                {'f:spec':{'f:replicas':{},'f:selector':{},'f:template':{'f:metadata':{'f:labels':{'.':{},'f:app':{}}},
                 'f:spec':{'f:containers':{'k:{\\'name\\':\\'c\\'}':{'.':{},'f:image':{},'f:name':{}}}}}}}""".replace("\\'", "\\\"")));
        assertThat(web.entry("one").path("operation").asText()).isEqualTo("Update");
    }

    @Test
    void creatorOfAnUntypedKindOwnsObjectsToo() {
        ApplyFixture thing = ApplyFixture.untyped();
        thing.update("one", "{'metadata':{'name':'x','labels':{'a':'b'}},'spec':{'list':[{'a':1}],'map':{'x':1}}}");

        assertThat(thing.fieldsOf("one"))
                .isEqualTo(json("{'f:metadata':{'f:labels':{'.':{},'f:a':{}}},"
                        + "'f:spec':{'.':{},'f:list':{},'f:map':{'.':{},'f:x':{}}}}"));
    }

    @Test
    void keysOfListsTakeTheirDefaults() {
        web.apply("one", spec("'template':{'spec':{'containers':[{'name':'c','ports':[{'containerPort':80}]}]}}"));

        assertThat(web.fieldsOf("one").toString())
                .contains("k:{\\\"containerPort\\\":80,\\\"protocol\\\":\\\"TCP\\\"}");
    }

    @Test
    void updaterTakesWhatItChangesAndNothingElse() {
        web.apply("one", WEB);
        ObjectNode state = web.content();
        ((ObjectNode) state.path("spec")).put("replicas", 7);
        web.update("hand", "", state);

        assertThat(web.fieldsOf("hand")).isEqualTo(json("{'f:spec':{'f:replicas':{}}}"));
        assertThat(web.fieldsOf("one").path("f:spec").has("f:replicas")).isFalse();
        assertThat(web.fieldsOf("one").path("f:spec").has("f:template")).isTrue();
    }

    @Test
    void removedFieldsLeaveAllManagers() {
        map.update("one", data("'a':'1','b':'2'")).update("two", data("'a':'1'"));

        assertThat(map.fieldsOf("one")).isEqualTo(json("{'f:data':{'.':{},'f:a':{}}}"));
        assertThat(map.entry("two").isMissingNode()).isTrue();
    }

    @Test
    void statusHasItsOwnEntry() {
        web.apply("one", WEB);
        ObjectNode state = web.content();
        state.putObject("status").put("replicas", 1);
        ((ObjectNode) state.path("spec")).put("replicas", 9);
        web.update("ctl", "status", state);

        assertThat(web.fieldsOf("ctl")).isEqualTo(json("{'f:status':{'f:replicas':{}}}"));
        assertThat(web.entry("ctl").path("subresource").asText()).isEqualTo("status");
        assertThat(web.fieldsOf("one").path("f:spec").has("f:replicas")).isTrue();
    }

    // ---- apply

    @Test
    void conflictNamesFieldAndManager() {
        web.apply("one", WEB);
        ApiException conflict = failure(() -> web.apply("two", spec("'replicas':5")));

        assertThat(conflict.status().code()).isEqualTo(409);
        assertThat(conflict.getMessage())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.replicas");
        assertThat(conflict.status().details()).satisfies(details -> {
            assertThat(details.causes()).hasSize(1);
            assertThat(details.causes().getFirst().reason()).isEqualTo("FieldManagerConflict");
        });
    }

    @Test
    void conflictsOfSeveralFieldsAreListedByManager() {
        web.update("hand", WEB);
        ApiException conflict = failure(() -> web.apply(
                "two", spec("'replicas':5,'template':{'spec':{'containers':[{'name':'c','image':'other'}]}}")));

        assertThat(conflict.getMessage())
                .isEqualTo("Apply failed with 2 conflicts: conflicts with \"hand\" using apps/v1:\n"
                        + "- .spec.replicas\n- .spec.template.spec.containers[name=\"c\"].image");
    }

    @Test
    void nullIsAValueToo() {
        web.apply("one", WEB);

        assertThat(failure(() -> web.apply("two", spec("'replicas':null"))).getMessage())
                .isEqualTo("Apply failed with 1 conflict: conflict with \"one\": .spec.replicas");
        web.force("two", spec("'replicas':null"));
        assertThat(web.content().path("spec").has("replicas")).isFalse();
        assertThat(web.fieldsOf("one").path("f:spec").has("f:replicas")).isFalse();
    }

    /** A field reference has one owner as a whole, and neither manager says its default. */
    @Test
    void whatIsLeftToTheDefaultsIsNoConflict() {
        String configuration = WEB.replace(
                "'image':'i'",
                "'image':'i','env':[{'name':'IP','valueFrom':{'fieldRef':{'fieldPath':'status.podIP'}}}]");
        assertThat(configuration).isNotEqualTo(WEB);
        web.apply("one", configuration);
        ObjectNode filled = web.content();
        assertThat(filled.at("/spec/template/spec/containers/0/env/0/valueFrom/fieldRef/apiVersion")
                        .asText())
                .isEqualTo("v1");

        web.apply("two", configuration);
        assertThat(web.content()).isEqualTo(filled);
        assertThat(web.fieldsOf("two")).isEqualTo(web.fieldsOf("one"));
        assertThat(failure(() -> web.apply("two", configuration.replace("podIP", "hostIP")))
                        .getMessage())
                .contains("fieldRef");
    }

    @Test
    void forceTakesTheField() {
        web.apply("one", WEB).force("two", spec("'replicas':5"));

        assertThat(web.content().path("spec").path("replicas").asInt()).isEqualTo(5);
        assertThat(web.fieldsOf("one").path("f:spec").has("f:replicas")).isFalse();
        assertThat(web.fieldsOf("two")).isEqualTo(json("{'f:spec':{'f:replicas':{}}}"));
    }

    @Test
    void equalValuesAreSharedWithoutATime() {
        web.apply("one", WEB).apply("two", spec("'replicas':2"));

        assertThat(web.fieldsOf("one").path("f:spec").has("f:replicas")).isTrue();
        assertThat(web.fieldsOf("two").path("f:spec").has("f:replicas")).isTrue();
        assertThat(web.entry("two").has("time")).isFalse();
    }

    @Test
    void sharedFieldStaysUntilItsLastOwnerGivesItUp() {
        map.apply("one", data("'a':'1'")).apply("two", data("'a':'1'"));
        map.apply("one", data(""));
        assertThat(map.content().path("data").has("a")).isTrue();

        map.apply("two", data(""));
        assertThat(map.content().path("data").has("a")).isFalse();
    }

    @Test
    void fieldsOfUpdatersStay() {
        map.apply("one", data("'a':'1'"));
        ObjectNode state = map.content();
        ((ObjectNode) state.path("data")).put("b", "2");
        map.update("hand", "", state);
        map.apply("one", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x'}}");

        assertThat(map.content().path("data")).isEqualTo(json("{'b':'2'}"));
    }

    @Test
    void itemsOfTwoAppliersAreMergedInOrder() {
        String env = "'template':{'spec':{'containers':[{'name':'c','env':[%s]}]}}";
        web.apply("one", spec(env.formatted("{'name':'A','value':'1'},{'name':'C','value':'3'}")));
        web.apply("two", spec(env.formatted("{'name':'B','value':'2'}")));
        web.apply("one", spec(env.formatted("{'name':'C','value':'3'},{'name':'A','value':'1'}")));
        JsonNode items = web.content()
                .path("spec")
                .path("template")
                .path("spec")
                .path("containers")
                .path(0)
                .path("env");
        assertThat(items.findValuesAsText("name")).containsExactly("C", "B", "A");

        web.apply("one", spec(env.formatted("{'name':'A','value':'1'}")));
        items = web.content()
                .path("spec")
                .path("template")
                .path("spec")
                .path("containers")
                .path(0)
                .path("env");
        assertThat(items.findValuesAsText("name")).containsExactly("B", "A");
    }

    @Test
    void finalizersAreASet() {
        String finalizers = "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x','finalizers':[%s]}}";
        map.apply("one", finalizers.formatted("'e.com/a','e.com/b'")).apply("two", finalizers.formatted("'e.com/c'"));
        map.apply("one", finalizers.formatted("'e.com/b'"));

        assertThat(map.content().path("metadata").path("finalizers"))
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrder("e.com/b", "e.com/c");
        assertThat(map.fieldsOf("two").toString()).contains("v:\\\"e.com/c\\\"");
    }

    @Test
    void sameAgainChangesNothing() {
        web.apply("one", WEB);
        ObjectNode before = web.object();
        web.apply("one", WEB);

        assertThat(web.object()).isEqualTo(before);
    }

    @Test
    void configurationIsCheckedAgainstTheSchema() {
        ApiException unknown = failure(() -> web.apply("one", spec("'nope':1")));
        assertThat(unknown.status().code()).isEqualTo(500);
        assertThat(unknown.getMessage())
                .isEqualTo("failed to create typed patch object (/x; apps/v1, Kind=Deployment): "
                        + ".spec.nope: field not declared in schema");

        ApiException twice =
                failure(() -> web.apply("one", spec("'template':{'spec':{'containers':[{'name':'c'},{'name':'c'}]}}")));
        assertThat(twice.getMessage())
                .endsWith(".spec.template.spec.containers: duplicate entries for key [name=\"c\"]");
    }

    @Test
    void configurationMayNotCarryManagedFields() {
        ApiException given = failure(() -> map.apply("one", "{'metadata':{'name':'x','managedFields':[]}}"));

        assertThat(given.status().code()).isEqualTo(400);
    }

    // ---- managedFields that clients send

    @Test
    void wellFormedEntriesAreTaken() {
        map.apply("one", data("'a':'1'"));
        ObjectNode state = map.object().deepCopy();
        ((ObjectNode) state.path("metadata").path("managedFields").path(0)).put("manager", "heir");
        map.update("kubectl", "", state);

        assertThat(map.managedFields()).hasSize(1);
        assertThat(map.fieldsOf("heir")).isEqualTo(json("{'f:data':{'f:a':{}}}"));
    }

    @Test
    void malformedOrMissingEntriesLeaveThePresent() {
        for (String sent : List.of("[{'operation':'Fly'}]", "[]", "[{'operation':'Apply','fieldsV1':{'x':{}}}]")) {
            var fixture = new ApplyFixture(CONFIG_MAP);
            fixture.apply("one", data("'a':'1'"));
            ObjectNode state = fixture.content();
            ((ObjectNode) state.path("metadata"))
                    .set("managedFields", json("{'x':" + sent + "}").get("x"));
            fixture.update("two", "", state);

            assertThat(fixture.fieldsOf("one")).isEqualTo(json("{'f:data':{'f:a':{}}}"));
        }
    }

    @Test
    void anEmptyEntryClearsThemUntilTheNextApply() {
        map.apply("one", data("'a':'1'"));
        ObjectNode state = map.content();
        ((ObjectNode) state.path("metadata"))
                .set("managedFields", json("{'x':[{}]}").get("x"));
        map.update("two", "", state);
        assertThat(map.managedFields().isMissingNode()).isTrue();

        map.update("two", data("'a':'2'"));
        assertThat(map.managedFields().isMissingNode()).isTrue();

        map.apply("three", data("'b':'3'"));
        assertThat(map.fieldsOf("before-first-apply")).isEqualTo(json("{'f:data':{'.':{},'f:a':{}}}"));
        assertThat(map.fieldsOf("three")).isEqualTo(json("{'f:data':{'f:b':{}}}"));
    }

    @Test
    void oldUpdatersArePutTogether() {
        var all = new StringBuilder("'k':'0'");
        map.update("m0", data(all.toString()));
        for (int i = 1; i <= 11; i++) {
            all.append(",'k%d':'x'".formatted(i));
            map.update("m" + i, data(all.toString()));
        }

        assertThat(map.managedFields()).hasSize(Ownership.MAX_UPDATERS);
        assertThat(map.fieldsOf("ancient-changes").path("f:data").has("f:k1")).isTrue();
        assertThat(map.fieldsOf("m11")).isEqualTo(json("{'f:data':{'f:k11':{}}}"));
    }

    // ---- from client-side to server-side apply

    @Test
    void kubectlGoesOnFromItsClientSideConfiguration() {
        String last = data("'a':'1'").replace('\'', '"').replace("\"", "\\\"") + "\\n";
        map.update(
                "kubectl-client-side-apply",
                "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'x',"
                        + "'annotations':{'kubectl.kubernetes.io/last-applied-configuration':'" + last
                        + "'}},'data':{'a':'1'}}");
        assertThat(failure(() -> map.apply("other", data("'a':'2'"))).status().code())
                .isEqualTo(409);

        map.apply("kubectl", data("'a':'2'"));

        assertThat(map.content().path("data").path("a").asText()).isEqualTo("2");
        assertThat(map.content()
                        .path("metadata")
                        .path("annotations")
                        .path(LastApplied.ANNOTATION)
                        .asText())
                .isEqualTo("{\"apiVersion\":\"v1\",\"data\":{\"a\":\"2\"},\"kind\":\"ConfigMap\","
                        + "\"metadata\":{\"name\":\"x\"}}\n");
    }

    // ---- times

    @Test
    void aWriteThatChangesNothingKeepsItsTime() {
        map.update("one", data("'a':'1'"));
        ObjectNode before = map.object();
        ObjectNode again = before.deepCopy();
        ((ObjectNode) again.path("metadata").path("managedFields").path(0)).put("time", "2031-01-01T00:00:00Z");
        FieldManager.dropIdleTimes(before, again);
        assertThat(again).isEqualTo(before);

        ((ObjectNode) again.path("data")).put("a", "2");
        ((ObjectNode) again.path("metadata").path("managedFields").path(0)).put("time", "2031-01-01T00:00:00Z");
        ObjectNode changed = again.deepCopy();
        FieldManager.dropIdleTimes(before, again);
        assertThat(again).isEqualTo(changed);
    }
}
