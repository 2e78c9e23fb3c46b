package io.keelson.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Schema;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrategicMergePatchTest {
    private static final Schema POD = schema("", "v1", "Pod");
    private static final Schema DEPLOYMENT = schema("apps", "v1", "Deployment");

    private static Schema schema(String group, String version, String kind) {
        return Objects.requireNonNull(BuiltinSchemas.of(new GroupVersionKind(group, version, kind)));
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(UTF_8));
    }

    private static JsonNode applied(String document, String patch, Schema schema) {
        var original = (ObjectNode) json(document);
        JsonNode changes = json(patch);
        JsonNode result = StrategicMergePatch.apply(original, changes, schema);
        assertThat(StrategicMergePatch.apply(original, changes, schema)).isEqualTo(result);
        assertThat(original).isEqualTo(json(document));
        assertThat(changes).isEqualTo(json(patch));
        return result;
    }

    private static void assertPatched(String document, String patch, String result, Schema schema) {
        // Texts, since the order of fields in what is stored matters to whoever reads it.
        assertThat(applied(document, patch, schema)).hasToString(json(result).toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'a':1} | {'a':2} | {'a':2}
            {'a':1} | {'a':null,'b':1} | {'b':1}
            {'spec':{'nodeName':'a'}} | {'spec':{'dnsPolicy':'Default'}} | {'spec':{'nodeName':'a','dnsPolicy':'Default'}}
            {'spec':{'nodeName':'a'}} | {'spec':null} | {}
            {'metadata':{}} | {'metadata':{'labels':{'a':'b','c':null}}} | {'metadata':{'labels':{'a':'b'}}}
            {'metadata':{'labels':{'a':'b','c':'d'}}} | {'metadata':{'labels':{'a':null}}} | {'metadata':{'labels':{'c':'d'}}}
            {'spec':'x'} | {'spec':{'nodeName':'a'}} | {'spec':{'nodeName':'a'}}
            {'spec':{'nodeName':'a'}} | {'spec':'x'} | {'spec':'x'}
            {'unknown':{'a':1,'l':[1]}} | {'unknown':{'b':2,'l':[2]}} | {'unknown':{'a':1,'l':[2],'b':2}}
            """)
    void merges_objects(String document, String patch, String result) {
        assertPatched(document, patch, result, POD);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'spec':{'hostname':'a'}} | {'spec':{'$patch':'replace','nodeName':'b'}} | {'spec':{'nodeName':'b'}}
            {'spec':{'hostname':'a'}} | {'spec':{'$patch':'delete'}} | {'spec':{}}
            {} | {'spec':{'$patch':'replace','nodeName':'b','hostname':null}} | {'spec':{'nodeName':'b'}}
            {} | {'spec':{'$patch':'delete','nodeName':'b'}} | {'spec':{}}
            {'metadata':{'labels':{'a':'b'}}} | {'metadata':{'labels':{'$patch':'replace','c':'d'}}} | {'metadata':{'labels':{'c':'d'}}}
            """)
    void replaces_and_empties_objects_on_demand(String document, String patch, String result) {
        assertPatched(document, patch, result, POD);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'type':'RollingUpdate','rollingUpdate':{'maxSurge':1}} | {'$retainKeys':['type'],'type':'Recreate'} | {'type':'Recreate'}
            {'type':'RollingUpdate','rollingUpdate':{'maxSurge':1}} | {'$retainKeys':['type','rollingUpdate'],'rollingUpdate':{'maxUnavailable':2}} | {'type':'RollingUpdate','rollingUpdate':{'maxSurge':1,'maxUnavailable':2}}
            {'type':'RollingUpdate','rollingUpdate':{'maxSurge':1}} | {'$retainKeys':['type'],'rollingUpdate':null} | {'type':'RollingUpdate'}
            {} | {'$retainKeys':['type'],'type':'Recreate'} | {'type':'Recreate'}
            """)
    void drops_what_is_not_retained(String strategy, String patch, String result) {
        assertPatched(
                "{'spec':{'strategy':" + strategy + "}}",
                "{'spec':{'strategy':" + patch + "}}",
                "{'spec':{'strategy':" + result + "}}",
                DEPLOYMENT);
    }

    @Test
    void drops_what_is_not_retained_of_a_volume_that_changes_its_source() {
        assertPatched(
                "{'spec':{'volumes':[{'name':'a','emptyDir':{'medium':'Memory'}},{'name':'b'}]}}",
                "{'spec':{'volumes':[{'name':'a','$retainKeys':['name','hostPath'],'hostPath':{'path':'/x'}}]}}",
                "{'spec':{'volumes':[{'name':'a','hostPath':{'path':'/x'}},{'name':'b'}]}}",
                POD);
    }

    /** Lists of containers, by name. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [{'name':'a','image':'1'},{'name':'b'}] | [{'name':'a','image':'2'}] | [{'name':'a','image':'2'},{'name':'b'}]
            [{'name':'a'},{'name':'b'}] | [{'name':'b','image':'2'}] | [{'name':'a'},{'name':'b','image':'2'}]
            [{'name':'a'}] | [{'name':'b'}] | [{'name':'b'},{'name':'a'}]
            [{'name':'a'},{'name':'b'}] | [{'name':'b','image':'1'},{'name':'a'}] | [{'name':'b','image':'1'},{'name':'a'}]
            [{'name':'a'},{'name':'b'},{'name':'c'}] | [{'name':'new'},{'name':'b','image':'1'}] | [{'name':'new'},{'name':'a'},{'name':'b','image':'1'},{'name':'c'}]
            [{'name':'a'},{'name':'b'}] | [{'name':'a','$patch':'delete'}] | [{'name':'b'}]
            [{'name':'a'},{'name':'a'},{'name':'b'}] | [{'name':'a','$patch':'delete'}] | [{'name':'b'}]
            [{'name':'a'}] | [{'name':'none','$patch':'delete'}] | [{'name':'a'}]
            [{'name':'a','image':'1'}] | [{'$patch':'delete','name':'a'},{'name':'a','command':['x']}] | [{'name':'a','command':['x']}]
            [{'name':'a'},{'name':'b'}] | [{'$patch':'replace'},{'name':'c'},{'name':'b','image':'1'}] | [{'name':'c'},{'name':'b','image':'1'}]
            [{'name':'a'},{'name':'b'}] | [{'name':'c'},{'$patch':'replace'}] | [{'name':'c'}]
            [{'name':'a'}] | [{'$patch':'replace'}] | []
            [{'name':'a','image':'1'}] | [{'name':'a','$patch':'replace','command':['x']}] | []
            [] | [{'name':'a','image':null},{'name':'b','$patch':'delete'}] | [{'name':'a'}]
            [{'name':'a','image':'1'}] | [{'name':'a','image':null}] | [{'name':'a'}]
            [{'name':'a'}] | [] | [{'name':'a'}]
            [{'name':'a','args':['1','2']}] | [{'name':'a','args':['3']}] | [{'name':'a','args':['3']}]
            [{'name':'a','env':[{'name':'X','value':'1'}]}] | [{'name':'a','env':[{'name':'X','$patch':'delete'},{'name':'Y'}]}] | [{'name':'a','env':[{'name':'Y'}]}]
            [{'name':'a','ports':[{'containerPort':80,'name':'x'}]}] | [{'name':'a','ports':[{'containerPort':8e1,'name':'y'}]}] | [{'name':'a','ports':[{'containerPort':8e1,'name':'y'}]}]
            [{'name':'a','ports':[{'containerPort':80}]}] | [{'name':'a','ports':[{'containerPort':81}]}] | [{'name':'a','ports':[{'containerPort':81},{'containerPort':80}]}]
            """)
    void merges_lists_by_key(String list, String patch, String result) {
        assertPatched(containers(list), containers(patch), containers(result), POD);
    }

    private static String containers(String list) {
        return "{'spec':{'containers':" + list + "}}";
    }

    @Test
    void carries_directives_out_also_where_there_was_nothing() {
        assertPatched(
                "{'spec':{}}",
                "{'spec':{'containers':[{'name':'a','env':[{'name':'X','$patch':'delete'},{'name':'Y','value':null}],"
                        + "'resources':{'$patch':'delete'}}],'$setElementOrder/containers':[{'name':'a'}]}}",
                "{'spec':{'containers':[{'name':'a','env':[{'name':'Y'}],'resources':{}}]}}",
                POD);
    }

    /** What the client knows of stands as it says; what the server added keeps its order. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            abc | cab | cab
            abc | ba  | bac
            abc | cb  | acb
            axbyc | cba | xycba
            abxy | ba | baxy
            xyab | ba | xyba
            abc | '' | abc
            abc | de  | abc
            """)
    void orders_lists(String before, String order, String after) {
        assertPatched(
                containers(named(before)),
                "{'spec':{'$setElementOrder/containers':" + named(order) + "}}",
                containers(named(after)),
                POD);
        assertPatched(
                "{'metadata':{'finalizers':" + letters(before) + "}}",
                "{'metadata':{'$setElementOrder/finalizers':" + letters(order) + "}}",
                "{'metadata':{'finalizers':" + letters(after) + "}}",
                POD);
    }

    private static String named(String names) {
        return names.chars()
                .filter(Character::isLetter)
                .mapToObj(name -> "{'name':'" + (char) name + "'}")
                .toList()
                .toString();
    }

    private static String letters(String names) {
        return names.chars()
                .filter(Character::isLetter)
                .mapToObj(name -> "'" + (char) name + "'")
                .toList()
                .toString();
    }

    @Test
    void orders_what_it_adds_and_deletes() {
        assertPatched(
                containers("[{'name':'a'},{'name':'server'},{'name':'b'},{'name':'c'}]"),
                "{'spec':{'$setElementOrder/containers':[{'name':'c'},{'name':'new'},{'name':'a'}],"
                        + "'containers':[{'name':'new','image':'1'},{'name':'a','image':'2'},{'name':'b','$patch':'delete'}]}}",
                containers("[{'name':'server'},{'name':'c'},{'name':'new','image':'1'},{'name':'a','image':'2'}]"),
                POD);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            ['a','b'] | {'finalizers':['c']} | ['c','a','b']
            ['a','b'] | {'finalizers':['b','c']} | ['a','b','c']
            ['a','b'] | {'finalizers':['a','a']} | ['a','b']
            ['a','b'] | {'$deleteFromPrimitiveList/finalizers':['a','x']} | ['b']
            ['a','b'] | {'$deleteFromPrimitiveList/finalizers':['a','b']} | []
            ['a','b'] | {'$deleteFromPrimitiveList/finalizers':['a'],'$setElementOrder/finalizers':['c','b'],'finalizers':['c']} | ['c','b']
            """)
    void merges_lists_of_scalars(String list, String patch, String result) {
        assertPatched(
                "{'metadata':{'finalizers':" + list + "}}",
                "{'metadata':" + patch + "}",
                "{'metadata':{'finalizers':" + result + "}}",
                POD);
    }

    @Test
    void deletes_from_a_list_that_does_not_merge_and_from_none() {
        assertPatched(
                "{'metadata':{},'spec':{'containers':[{'name':'a','args':['1','2']}]}}",
                "{'metadata':{'$deleteFromPrimitiveList/finalizers':['a']},"
                        + "'spec':{'containers':[{'name':'a','$deleteFromPrimitiveList/args':['1']}]}}",
                "{'metadata':{},'spec':{'containers':[{'name':'a','args':['2']}]}}",
                POD);
    }

    @Test
    void replaces_lists_and_objects_that_do_not_merge() {
        assertPatched(
                "{'spec':{'tolerations':[{'key':'a','operator':'Exists'}]}}",
                "{'spec':{'tolerations':[{'key':'b','operator':'Exists','effect':null}]}}",
                "{'spec':{'tolerations':[{'key':'b','operator':'Exists'}]}}",
                POD);
        assertPatched(
                "{'spec':{'selector':{'matchLabels':{'a':'b'}}}}",
                "{'spec':{'selector':{'matchLabels':{'c':'d'}}}}",
                "{'spec':{'selector':{'matchLabels':{'c':'d'}}}}",
                schema("policy", "v1", "PodDisruptionBudget"));
    }

    @Test
    void merges_what_has_no_schema_as_a_merge_patch() {
        assertPatched(
                "{'data':{'a':1,'l':[1,{'b':null}]}}",
                "{'data':{'a':null,'l':[[2],null],'o':{'x':null,'y':1}}}",
                "{'data':{'l':[[2],null],'o':{'y':1}}}",
                schema("apps", "v1", "ControllerRevision"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [1] | error decoding patch: a strategic merge patch is an object
            'x' | error decoding patch: a strategic merge patch is an object
            {'spec':{'$retainKeys':'x'}} | invalid patch format of retainKeys
            {'spec':{'$retainKeys':['a'],'b':1}} | invalid patch format of retainKeys
            {'metadata':{'$deleteFromPrimitiveList/finalizers':'x'}} | invalid patch format of primitive list
            {'metadata':{'$deleteFromPrimitiveList':['x']}} | invalid patch format of primitive list
            {'metadata':{'$setElementOrder':['x']}} | invalid patch format of setElementOrder list
            """)
    void answers_what_is_malformed_with_400(String patch, String message) {
        ApiException refused = refused(patch);
        assertThat(refused.status().reason()).isEqualTo(StatusReason.BAD_REQUEST);
        assertThat(refused).hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'spec':{'containers':[{'image':'x'}]}}",
                "{'spec':{'containers':[{'$patch':'delete'}]}}",
                "{'spec':{'containers':[{'name':'a','$patch':'merge'}]}}",
                "{'spec':{'containers':[{'name':'a','$patch':'vanish'}]}}",
                "{'spec':{'containers':['a']}}",
                "{'spec':{'$patch':'vanish'}}",
                "{'spec':{'$patch':'merge'}}",
                "{'spec':{'$setElementOrder/containers':1}}",
                "{'spec':{'$setElementOrder/containers':[{'image':'x'}]}}",
                "{'spec':{'$setElementOrder/containers':[{'name':'x'}],'containers':[{'name':'a'}]}}",
                "{'spec':{'$setElementOrder/containers':[{'name':'b'},{'name':'a'}],'containers':[{'name':'a'},{'name':'b'}]}}",
            })
    void answers_what_breaks_the_rules_of_lists_with_500(String patch) {
        assertThat(refused(patch).status().code()).isEqualTo(500);
        assertThat(refused(patch).status().toTree().has("reason")).isFalse();
        assertThat(refused(patch).status().toTree().path("status").asText()).isEqualTo("Failure");
    }

    @Test
    void answers_lists_of_lists_with_422() {
        assertThat(refused("{'metadata':{'finalizers':[['a']]}}").status().code())
                .isEqualTo(422);
    }

    private static ApiException refused(String patch) {
        var original = (ObjectNode) json(containers("[{'name':'a'},{'name':'b'}]"));
        return catchThrowableOfType(ApiException.class, () -> StrategicMergePatch.apply(original, json(patch), POD));
    }
}
