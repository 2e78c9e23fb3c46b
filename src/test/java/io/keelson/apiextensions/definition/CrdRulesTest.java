package io.keelson.apiextensions.definition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CrdRulesTest {
    private static final String AT = "spec.validation.openAPIV3Schema";

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private static ObjectNode crd(String schema) {
        return json("{'metadata':{'name':'as.example.com'},'spec':{'group':'example.com','scope':'Namespaced',"
                + "'names':{'plural':'as','singular':'a','kind':'A','listKind':'AList'},'conversion':{'strategy':'None'},"
                + "'versions':[{'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':" + schema
                + "}}]},'status':{'storedVersions':['v1']}}");
    }

    private static List<String> faults(ObjectNode crd) {
        return CrdRules.validate(crd).stream().map(FieldError::text).toList();
    }

    private static List<String> changed(Consumer<ObjectNode> change) {
        ObjectNode crd = crd("{'type':'object'}");
        change.accept((ObjectNode) crd.path("spec"));
        return faults(crd);
    }

    @Test
    void a_webhook_may_convert_between_versions() {
        assertThat(changed(spec -> {
                    spec.set(
                            "conversion",
                            json("{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],"
                                    + "'clientConfig':{'url':'https://example.com/convert'}}}"));
                    spec.withArray("versions")
                            .add(json("{'name':'v2','served':true,'storage':false,"
                                    + "'schema':{'openAPIV3Schema':{'type':'object'}}}"));
                }))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'strategy':'Some'} | .strategy: Unsupported value: 'Some': supported values: 'None', 'Webhook'",
                "{'strategy':'None','webhook':{'clientConfig':{'url':'https://a'}}} | .webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
                "{'strategy':'None','webhook':{'conversionReviewVersions':['v1']}} | .conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1']}} | .webhookClientConfig: Required value: required when strategy is set to Webhook",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{}}} | .webhookClientConfig: Required value: exactly one of url or service is required",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'url':'http://a'}}} | .webhookClientConfig.url: Invalid value: 'http': 'https' is the only allowed URL scheme; desired format: https://host[/path]",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'url':'https:///a'}}} | .webhookClientConfig.url: Invalid value: '': host must be specified; desired format: https://host[/path]",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'url':'https://u@a'}}} | .webhookClientConfig.url: Invalid value: 'u': user information is not permitted in the URL",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'url':'https://a#b'}}} | .webhookClientConfig.url: Invalid value: 'b': fragments are not permitted in the URL",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'url':'https://a?b'}}} | .webhookClientConfig.url: Invalid value: 'b': query parameters are not permitted in the URL",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'service':{'name':'a','port':443}}}} | .webhookClientConfig.service.namespace: Required value: service namespace is required",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'service':{'name':'a','namespace':'b','port':70000}}}} | .webhookClientConfig.service.port: Invalid value: 70000: port is not valid: must be between 1 and 65535, inclusive",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'service':{'name':'a','namespace':'b','path':'/a//b'}}}} | .webhookClientConfig.service.path: Invalid value: '/a//b': segment[1] may not be empty",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1'],'clientConfig':{'url':'https://a','caBundle':'Cg=='}}} | .webhookClientConfig.caBundle: Invalid value: 'Cg==': unable to load root certificates: unable to parse bytes as PEM block",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v2'],'clientConfig':{'url':'https://a'}}} | .conversionReviewVersions: Invalid value: ['v2']: must include at least one of v1, v1beta1",
                "{'strategy':'Webhook','webhook':{'conversionReviewVersions':['v1','v1'],'clientConfig':{'url':'https://a'}}} | .conversionReviewVersions[1]: Invalid value: 'v1': duplicate version",
            })
    void a_conversion_says_how_its_webhook_is_reached(String conversion, String fault) {
        assertThat(changed(spec -> spec.set("conversion", json(conversion))))
                .containsExactly("spec.conversion" + fault.replace('\'', '"').replace("\"https\" is", "'https' is"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{} | .type: Required value: must not be empty at the root",
                "{'type':'object','properties':{'a':{}}} | .properties[a].type: Required value: must not be empty for specified object fields",
                "{'type':'object','properties':{'a':{'type':'array'}}} | .properties[a].items: Required value: must be specified",
                "{'type':'object','anyOf':[{'type':'object'}]} | .anyOf[0].type: Forbidden: must be empty to be structural",
                "{'type':'object','not':{'properties':{'a':{}}}} | .properties[a]: Required value: because it is defined in spec.validation.openAPIV3Schema.not.properties[a]",
                "{'type':'object','properties':{'metadata':{'type':'object','properties':{'labels':{'type':'object'}}}}} | .properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified",
                "{'type':'object','properties':{'a':{'type':'integer','default':'x'}}} | .properties[a].default: Invalid value: 'string':  in body must be of type integer: 'string'",
                "{'type':'object','properties':{'a':{'type':'object','default':{'b':1}}}} | .properties[a].default: Invalid value: {'b':1}: must not have unknown fields",
                "{'type':'object','properties':{'a':{'type':'string','pattern':'('}}} | .properties[a].pattern: Invalid value: '(': must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`",
                "{'type':'object','properties':{'a':{'type':'thing'}}} | .properties[a].type: Unsupported value: 'thing': supported values: 'array', 'boolean', 'integer', 'number', 'object', 'string'",
                "{'type':'object','properties':{'a':{'type':'array','uniqueItems':true,'items':{'type':'string'}}}} | .properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic",
                "{'type':'object','properties':{'a':{'$ref':'#/b','type':'string'}}} | .properties[a].$ref: Forbidden: $ref is not supported",
                "{'type':'object','properties':{'a':{'type':'array','x-kubernetes-list-type':'map','x-kubernetes-list-map-keys':['k'],'items':{'type':'object','properties':{'k':{'type':'string'}}}}}} | .properties[a].items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property",
                "{'type':'object','additionalProperties':{'type':'string'}} | .additionalProperties: Forbidden: additionalProperties cannot be used at the root",
                "{'type':'object','properties':{'a':{'type':'object','x-kubernetes-preserve-unknown-fields':false}}} | .properties[a].x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined",
                "{'type':'object','nullable':true} | .nullable: Forbidden: nullable cannot be true at the root",
            })
    void a_schema_is_to_be_structural(String schema, String fault) {
        assertThat(faults(crd(schema)).stream().map(text -> text.replace('"', '\'')))
                .containsExactly(AT + fault);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'type':'object'}",
                "{'type':'object','x-kubernetes-preserve-unknown-fields':true}",
                "{'type':'object','properties':{'metadata':{'type':'object','properties':{'name':{'type':'string','maxLength':5}}}}}",
                "{'type':'object','properties':{'a':{'x-kubernetes-int-or-string':true,'anyOf':[{'type':'integer'},{'type':'string'}]}}}",
                "{'type':'object','properties':{'a':{'x-kubernetes-int-or-string':true,'allOf':[{'anyOf':[{'type':'integer'},{'type':'string'}]},{'pattern':'a'}]}}}",
                "{'type':'object','properties':{'a':{'type':'object','x-kubernetes-embedded-resource':true,'x-kubernetes-preserve-unknown-fields':true}}}",
                "{'type':'object','oneOf':[{'required':['a']},{'required':['b']}],'properties':{'a':{'type':'string'},'b':{'type':'string'}}}",
            })
    void takes_structural_schemas(String schema) {
        assertThat(faults(crd(schema))).isEmpty();
    }

    @Test
    void names_and_versions_keep_their_rules() {
        assertThat(changed(spec -> spec.put("group", "example")))
                .contains("spec.group: Invalid value: \"example\": should be a domain with at least one dot");
        assertThat(changed(spec -> spec.put("scope", "Galactic")))
                .containsExactly(
                        "spec.scope: Unsupported value: \"Galactic\": supported values: \"Cluster\", \"Namespaced\"");
        assertThat(changed(spec -> ((ObjectNode) spec.path("names")).put("listKind", "A")))
                .containsExactly("spec.names.listKind: Invalid value: \"A\": kind and listKind may not be the same");
        assertThat(changed(spec -> ((ObjectNode) spec.path("names")).remove("kind")))
                .contains("spec.names.kind: Required value");
        assertThat(changed(spec -> ((ObjectNode) spec.path("versions").path(0)).put("storage", false)))
                .anyMatch(fault -> fault.endsWith("must have exactly one version marked as storage version"));
        assertThat(changed(spec -> ((ObjectNode) spec.path("versions").path(0)).remove("schema")))
                .containsExactly("spec.versions[0].schema.openAPIV3Schema: Required value");
        assertThat(changed(spec -> ((ObjectNode) spec.path("versions").path(0))
                        .set(
                                "additionalPrinterColumns",
                                json("{'a':[{'name':'x','type':'thing','jsonPath':'y'}]}")
                                        .get("a"))))
                .containsExactly(
                        "spec.additionalPrinterColumns[0].type: Invalid value: \"thing\": must be one of"
                                + " boolean,date,integer,number,string",
                        "spec.additionalPrinterColumns[0].JSONPath: Invalid value: \"y\": must be a simple json path"
                                + " starting with .");
    }

    @Test
    void what_objects_are_stored_by_cannot_change() {
        ObjectNode old = crd("{'type':'object'}");
        ObjectNode changed = old.deepCopy();
        ((ObjectNode) changed.path("spec").path("names")).put("plural", "bs");
        assertThat(CrdRules.validateUpdate(changed, old).stream().map(FieldError::text))
                .containsExactly("spec.names.plural: Invalid value: \"bs\": field is immutable");
    }
}
