package io.keelson.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DecoderTest {
    private static ObjectNode tree(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static Schema schema(String kind) {
        String group = switch (kind) {
            case "Deployment", "ControllerRevision" -> "apps";
            case "Lease" -> "coordination.k8s.io";
            default -> "";
        };
        return Objects.requireNonNull(BuiltinSchemas.of(new GroupVersionKind(group, "v1", kind)));
    }

    private static String decoded(String kind, String text) {
        ObjectNode object = tree(text);
        assertThat(Decoder.decode(schema(kind), object, List.of())).isEmpty();
        return object.toString().replace('"', '\'');
    }

    private static List<String> told(String kind, String text, String... duplicates) {
        return Decoder.decode(schema(kind), tree(text), List.of(duplicates));
    }

    @Test
    void an_object_of_its_kind_stays_as_it_is() {
        String pod = "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','creationTimestamp':null},"
                + "'spec':{'containers':[{'name':'c','ports':[{'containerPort':80}],"
                + "'livenessProbe':{'httpGet':{'port':'http'}}}],'hostNetwork':true}}";
        assertThat(decoded("Pod", pod)).isEqualTo(pod);
    }

    @Test
    void unknown_fields_are_dropped_and_told_of_in_order() {
        ObjectNode object = tree("{'spec':{'replica':1,'template':{'spec':{'containers':[{'name':'c','Image':'x'}]}}},"
                + "'more':{'a':1}}");
        assertThat(Decoder.decode(schema("Deployment"), object, List.of()))
                .containsExactly(
                        "unknown field \"spec.replica\"",
                        "unknown field \"spec.template.spec.containers[0].Image\"",
                        "unknown field \"more\"");
        assertThat(object).isEqualTo(tree("{'spec':{'template':{'spec':{'containers':[{'name':'c'}]}}}}"));
    }

    @Test
    void at_most_a_hundred_fields_are_told_of_and_all_dropped() {
        ObjectNode object = Json.object();
        for (int i = 0; i < 150; i++) {
            object.put("field" + i, i);
        }
        assertThat(Decoder.decode(schema("ConfigMap"), object, List.of())).hasSize(100);
        assertThat(object.isEmpty()).isTrue();
    }

    @Test
    void duplicates_are_told_of_where_their_field_is() {
        assertThat(told("ConfigMap", "{'nope':1,'data':{'a':'2','b':'1'}}", "data.a", "nope"))
                .containsExactly("unknown field \"nope\"", "duplicate field \"data.a\"");
    }

    @Test
    void what_is_free_form_is_left_alone() {
        String revision = "{'data':[{'any':{'thing':null}}],'metadata':{'managedFields':[{'fieldsV1':{'f:x':{}}}]}}";
        assertThat(decoded("ControllerRevision", revision)).isEqualTo(revision);
    }

    @Test
    void null_is_an_absent_field_and_an_empty_item_or_entry() {
        assertThat(decoded("ConfigMap", "{'data':{'a':null},'binaryData':null}"))
                .isEqualTo("{'data':{'a':''},'binaryData':null}");
        assertThat(decoded("Pod", "{'spec':{'containers':[null],'nodeName':null}}"))
                .isEqualTo("{'spec':{'containers':[{}],'nodeName':null}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ConfigMap | {'data':{'a':1}} | number into Go struct field ConfigMap.data.a of type string",
                "ConfigMap | {'data':['a']} | array into Go struct field ConfigMap.data of type map[string]string",
                "ConfigMap | {'metadata':'a'} | string into Go struct field ConfigMap.metadata of type v1.ObjectMeta",
                "ConfigMap | {'metadata':{'name':7}} | number into Go struct field ObjectMeta.metadata.name of type string",
                "ConfigMap | {'immutable':'yes'} | string into Go struct field ConfigMap.immutable of type bool",
                "Deployment | {'spec':{'replicas':'3'}} | string into Go struct field DeploymentSpec.spec.replicas of type int32",
                "Deployment | {'spec':{'replicas':1.5}} | number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32",
                "Deployment | {'spec':{'replicas':2147483648}} | number 2147483648 into Go struct field DeploymentSpec.spec.replicas of type int32",
                "Pod | {'spec':{'activeDeadlineSeconds':9223372036854775808}} | number 9223372036854775808 into Go struct field PodSpec.spec.activeDeadlineSeconds of type int64",
                "Pod | {'spec':{'containers':{}}} | object into Go struct field PodSpec.spec.containers of type []v1.Container",
                "Pod | {'spec':{'containers':['c']}} | string into Go struct field PodSpec.spec.containers[0] of type v1.Container",
                "Pod | {'spec':{'containers':[{'command':[true]}]}} | bool into Go struct field Container.spec.containers[0].command[0] of type string",
                "Service | {'spec':{'ports':[{'targetPort':true}]}} | bool into Go struct field ServicePort.spec.ports[0].targetPort of type intstr.IntOrString"
            })
    void values_of_a_wrong_type_are_refused(String kind, String object, String words) {
        assertThatThrownBy(() -> told(kind, object))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessage("json: cannot unmarshal " + words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Secret | {'data':{'a':'***'}} | illegal base64 data at input byte 0",
                "Secret | {'data':{'a':'YQ='}} | illegal base64 data at input byte 2",
                "Secret | {'data':{'a':'YWI'}} | illegal base64 data at input byte 3",
                "Pod | {'spec':{'containers':[{'resources':{'limits':{'cpu':'much'}}}]}} | quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
                "Pod | {'metadata':{'creationTimestamp':'yesterday'}} | parsing time \"yesterday\" as \"2006-01-02T15:04:05Z07:00\": it has another form",
                "Pod | {'metadata':{'creationTimestamp':'2026-02-30T00:00:00Z'}} | parsing time \"2026-02-30T00:00:00Z\" as \"2006-01-02T15:04:05Z07:00\": it has another form",
                "Lease | {'spec':{'renewTime':'2026-01-01T00:00:00Z'}} | parsing time \"2026-01-01T00:00:00Z\" as \"2006-01-02T15:04:05.000000Z07:00\": it has another form"
            })
    void values_of_a_wrong_form_are_refused(String kind, String object, String words) {
        assertThatThrownBy(() -> told(kind, object))
                .isInstanceOf(MalformedObjectException.class)
                .hasMessage(words);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Secret | {'data':{'a':'YQ=='}} | {'data':{'a':'YQ=='}}",
                "Secret | {'data':{'a':'YW\\nJj'}} | {'data':{'a':'YWJj'}}",
                "Secret | {'data':{'a':'YR=='}} | {'data':{'a':'YQ=='}}",
                "ResourceQuota | {'spec':{'hard':{'cpu':0.5,'pods':10,'memory':' 1024Mi'}}} | {'spec':{'hard':{'cpu':'500m','pods':'10','memory':'1Gi'}}}",
                "Pod | {'status':{'startTime':'2026-01-01T01:30:00+01:30'}} | {'status':{'startTime':'2026-01-01T00:00:00Z'}}",
                "Pod | {'status':{'startTime':'2026-01-01T00:00:00.75Z'}} | {'status':{'startTime':'2026-01-01T00:00:00Z'}}",
                "Lease | {'spec':{'renewTime':'2026-01-01T01:00:00.123456+01:00'}} | {'spec':{'renewTime':'2026-01-01T00:00:00.123456Z'}}"
            })
    void texts_are_brought_into_the_form_in_which_they_are_stored(String kind, String given, String stored) {
        assertThat(decoded(kind, given)).isEqualTo(stored);
    }
}
