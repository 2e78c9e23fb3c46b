package io.keelson.endpoints.openapi;

import static io.keelson.endpoints.TestResources.CONFIG_MAPS;
import static io.keelson.endpoints.TestResources.DEPLOYMENTS;
import static io.keelson.endpoints.TestResources.LEASES;
import static io.keelson.endpoints.TestResources.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.endpoints.TestResources;
import io.keelson.endpoints.output.Document;
import io.keelson.registry.ResourceDefinition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenApiTest {
    private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

    private final OpenApi openApi = new OpenApi(() -> TestResources.ALL, "v1.36.0");

    private JsonNode v3(String path) {
        return Json.parse(openApi.v3(path).content());
    }

    private JsonNode v2() {
        return Json.parse(openApi.v2("application/json").content());
    }

    @Test
    void theIndexNamesEveryVersionWithItsHash() {
        JsonNode paths = Json.parse(openApi.index().content()).path("paths");
        assertThat(paths.fieldNames())
                .toIterable()
                .containsExactly(
                        "api/v1",
                        "apis/apps/v1",
                        "apis/events.k8s.io/v1",
                        "apis/coordination.k8s.io/v1",
                        "apis/example.com/v1",
                        "apis/example.com/v1beta1");
        assertThat(paths.at("/apis~1apps~1v1/serverRelativeURL").asText())
                .isEqualTo("/openapi/v3/apis/apps/v1?hash="
                        + openApi.v3("apis/apps/v1").hash());
        assertThat(openApi.v3("apis/none/v1")).isNull();
        assertThat(openApi.v3("api/v2")).isNull();
    }

    @Test
    void typesAndFieldsAreDescribed() {
        JsonNode spec = v3("apis/apps/v1").at("/components/schemas/io.k8s.api.apps.v1.DeploymentSpec");
        assertThat(spec.path("description").asText()).contains("desired behavior");
        assertThat(spec.at("/properties/replicas/description").asText()).startsWith("Number of desired pods.");
        assertThat(spec.at("/properties/template/allOf/0/$ref").asText()).endsWith(".PodTemplateSpec");
        assertThat(spec.at("/properties/template/description").asText()).isNotEmpty();
        JsonNode template = v2().at("/definitions/io.k8s.api.apps.v1.DeploymentSpec/properties/template");
        assertThat(template.path("$ref").asText()).endsWith(".PodTemplateSpec");
        assertThat(template.path("description").asText()).isNotEmpty();
    }

    @Test
    void thePathsOfANamespacedResource() {
        JsonNode paths = v3("apis/apps/v1").path("paths");
        String collection = "/apis/apps/v1/namespaces/{namespace}/deployments";
        assertThat(paths.fieldNames())
                .toIterable()
                .containsExactly(
                        "/apis/apps/v1/deployments",
                        collection,
                        collection + "/{name}",
                        collection + "/{name}/scale",
                        collection + "/{name}/status",
                        "/apis/apps/v1/watch/deployments",
                        "/apis/apps/v1/watch/namespaces/{namespace}/deployments",
                        "/apis/apps/v1/watch/namespaces/{namespace}/deployments/{name}");
        JsonNode list = paths.path(collection).path("get");
        assertThat(list.path("operationId").asText()).isEqualTo("listAppsV1NamespacedDeployment");
        assertThat(list.path("x-kubernetes-action").asText()).isEqualTo("list");
        assertThat(list.path("parameters").findValuesAsText("name"))
                .containsExactly(
                        "allowWatchBookmarks",
                        "continue",
                        "fieldSelector",
                        "labelSelector",
                        "limit",
                        "resourceVersion",
                        "resourceVersionMatch",
                        "sendInitialEvents",
                        "timeoutSeconds",
                        "watch");
        assertThat(paths.path(collection).path("delete").path("operationId").asText())
                .isEqualTo("deleteAppsV1CollectionNamespacedDeployment");
        assertThat(paths.path(collection + "/{name}").path("parameters").findValuesAsText("name"))
                .containsExactly("name", "namespace", "pretty");
        assertThat(paths.path("/apis/apps/v1/deployments")
                        .path("get")
                        .path("operationId")
                        .asText())
                .isEqualTo("listAppsV1DeploymentForAllNamespaces");
        assertThat(paths.path(collection + "/{name}/scale").path("patch").path("x-kubernetes-group-version-kind"))
                .isEqualTo(tree("{'group':'autoscaling','kind':'Scale','version':'v1'}"));
    }

    @Test
    void thePathsOfAClusterScopedResource() {
        JsonNode paths = v3("api/v1").path("paths");
        assertThat(paths.path("/api/v1/namespaces").has("delete")).isFalse();
        assertThat(paths.path("/api/v1/namespaces")
                        .path("post")
                        .path("operationId")
                        .asText())
                .isEqualTo("createCoreV1Namespace");
        assertThat(paths.path("/api/v1/namespaces/{name}/finalize").fieldNames())
                .toIterable()
                .containsExactly("put", "parameters");
        assertThat(paths.path("/api/v1/namespaces/{name}/status")
                        .path("patch")
                        .path("operationId")
                        .asText())
                .isEqualTo("patchCoreV1NamespaceStatus");
    }

    @ParameterizedTest
    @CsvSource({
        "api/v1, /api/v1/namespaces/{namespace}/configmaps/{name}, '', v1, ConfigMap",
        "api/v1, /api/v1/namespaces/{name}, '', v1, Namespace",
        "apis/apps/v1, /apis/apps/v1/namespaces/{namespace}/deployments/{name}, apps, v1, Deployment",
        "apis/example.com/v1, /apis/example.com/v1/namespaces/{namespace}/widgets/{name}, example.com, v1, Widget",
    })
    void clientsFindThatThePatchOfAKindValidates(
            String document, String path, String group, String version, String kind) {
        JsonNode patch = v3(document).path("paths").path(path).path("patch");
        assertThat(patch.path("x-kubernetes-group-version-kind"))
                .isEqualTo(tree("{'group':'" + group + "','kind':'" + kind + "','version':'" + version + "'}"));
        assertThat(patch.path("parameters").findValuesAsText("name"))
                .containsExactly("dryRun", "fieldManager", "fieldValidation", "force");
        assertThat(patch.path("parameters").findValuesAsText("in")).containsOnly("query");
        JsonNode old = v2().path("paths").path(path).path("patch");
        assertThat(old.path("x-kubernetes-group-version-kind"))
                .isEqualTo(patch.path("x-kubernetes-group-version-kind"));
        assertThat(old.path("parameters").findValuesAsText("name"))
                .containsExactly("body", "dryRun", "fieldManager", "fieldValidation", "force");
    }

    @Test
    void deletionsAnswerWhatTheKindSays() {
        JsonNode paths = v3("api/v1").path("paths");
        String reference = "/delete/responses/200/content/application~1json/schema/$ref";
        assertThat(paths.path("/api/v1/namespaces/{namespace}/pods/{name}")
                        .at(reference)
                        .asText())
                .isEqualTo("#/components/schemas/io.k8s.api.core.v1.Pod");
        assertThat(paths.path("/api/v1/namespaces/{namespace}/configmaps/{name}")
                        .at(reference)
                        .asText())
                .isEqualTo("#/components/schemas/" + META + "Status");
    }

    @Test
    void theOlderWatchPathsAnswerEvents() {
        JsonNode item = v3("api/v1").path("paths").path("/api/v1/watch/namespaces/{name}");
        assertThat(item.path("get").path("x-kubernetes-action").asText()).isEqualTo("watch");
        assertThat(item.path("get").path("operationId").asText()).isEqualTo("watchCoreV1Namespace");
        assertThat(item.at("/get/responses/200/content/application~1json/schema/$ref")
                        .asText())
                .isEqualTo("#/components/schemas/" + META + "WatchEvent");
    }

    @Test
    void everyReferenceIsAnsweredInItsDocument() {
        for (String path : List.of("api/v1", "apis/apps/v1", "apis/coordination.k8s.io/v1", "apis/example.com/v1")) {
            JsonNode document = v3(path);
            var known = new HashSet<String>();
            document.path("components").path("schemas").fieldNames().forEachRemaining(known::add);
            for (String reference : references(document)) {
                assertThat(known).contains(reference.substring("#/components/schemas/".length()));
            }
        }
        JsonNode old = v2();
        var known = new HashSet<String>();
        old.path("definitions").fieldNames().forEachRemaining(known::add);
        for (String reference : references(old)) {
            assertThat(known).contains(reference.substring("#/definitions/".length()));
        }
    }

    @Test
    void aDocumentHasOnlyTheSchemasItNeeds() {
        JsonNode schemas = v3("apis/coordination.k8s.io/v1").path("components").path("schemas");
        assertThat(schemas.has("io.k8s.api.coordination.v1.Lease")).isTrue();
        assertThat(schemas.has("io.k8s.api.coordination.v1.LeaseList")).isTrue();
        assertThat(schemas.has(META + "ObjectMeta")).isTrue();
        assertThat(schemas.has("io.k8s.api.core.v1.Pod")).isFalse();
        assertThat(schemas.path(META + "DeleteOptions").path("x-kubernetes-group-version-kind"))
                .isEqualTo(tree("[{'group':'','kind':'DeleteOptions','version':'v1'},"
                        + "{'group':'coordination.k8s.io','kind':'DeleteOptions','version':'v1'}]"));
    }

    @Test
    void aKindWithoutASchemaAllowsAnyField() {
        JsonNode schemas = v3("apis/example.com/v1").path("components").path("schemas");
        JsonNode widget = schemas.path("com.example.v1.Widget");
        assertThat(widget.path("x-kubernetes-preserve-unknown-fields").asBoolean())
                .isTrue();
        assertThat(widget.at("/properties/metadata/allOf/0/$ref").asText())
                .isEqualTo("#/components/schemas/" + META + "ObjectMeta");
        assertThat(schemas.at("/com.example.v1.WidgetList/properties/items/items/$ref")
                        .asText())
                .isEqualTo("#/components/schemas/com.example.v1.Widget");
    }

    @Test
    void anOldClientLetsAnyFieldOfSuchAKindPass() {
        JsonNode widget = v2().at("/definitions/com.example.v1.Widget");
        assertThat(widget.path("type").asText()).isEqualTo("object");
        assertThat(widget.has("properties")).isFalse();
    }

    @Test
    void theOldVersionSaysWhatItCan() {
        JsonNode document = v2();
        assertThat(document.path("swagger").asText()).isEqualTo("2.0");
        JsonNode definitions = document.path("definitions");
        assertThat(definitions
                        .path("io.k8s.api.apps.v1.Deployment")
                        .path("properties")
                        .path("spec")
                        .path("$ref")
                        .asText())
                .isEqualTo("#/definitions/io.k8s.api.apps.v1.DeploymentSpec");
        assertThat(definitions.path("io.k8s.apimachinery.pkg.util.intstr.IntOrString"))
                .isEqualTo(tree("{'format':'int-or-string','type':'string'}"));
        assertThat(definitions.path("io.k8s.apimachinery.pkg.api.resource.Quantity"))
                .isEqualTo(tree("{'type':'string'}"));
        assertThat(definitions
                        .at("/io.k8s.api.core.v1.PodSpec/properties/containers/x-kubernetes-patch-merge-key")
                        .asText())
                .isEqualTo("name");
        JsonNode strategy = definitions.at("/io.k8s.api.apps.v1.DeploymentSpec/properties/strategy");
        assertThat(strategy.path("$ref").asText()).isEqualTo("#/definitions/io.k8s.api.apps.v1.DeploymentStrategy");
        assertThat(strategy.path("x-kubernetes-patch-strategy").asText()).isEqualTo("retainKeys");
        assertThat(strategy.has("allOf")).isFalse();
        assertThat(definitions
                        .at("/io.k8s.api.core.v1.ContainerPort/properties/protocol")
                        .has("default"))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "null",
            value = {
                "null | application/json",
                "*/* | application/json",
                "application/json | application/json",
                "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"
                        + " | application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
                "application/com.github.proto-openapi.spec.v2.v1.0+protobuf, application/json;q=0.5"
                        + " | application/com.github.proto-openapi.spec.v2.v1.0+protobuf",
            })
    void theOldVersionComesAsJsonOrProtobuf(String accept, String contentType) {
        assertThat(openApi.v2(accept).contentType()).isEqualTo(contentType);
    }

    @Test
    void theOldVersionComesAsNothingElse() {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> openApi.v2("text/html"));
        assertThat(refusal.status().code()).isEqualTo(406);
    }

    @Test
    void onlyWhatChangedIsMadeAnew() {
        var list = new AtomicReference<List<ResourceDefinition>>(List.of(CONFIG_MAPS, DEPLOYMENTS));
        var changing = new OpenApi(list::get, "v1.36.0");
        Document core = changing.v3("api/v1");
        Document index = changing.index();
        assertThat(changing.index()).isSameAs(index);
        list.set(List.of(CONFIG_MAPS, DEPLOYMENTS, LEASES));
        assertThat(changing.v3("api/v1")).isSameAs(core);
        assertThat(changing.v3("apis/coordination.k8s.io/v1")).isNotNull();
        assertThat(changing.index().hash()).isNotEqualTo(index.hash());
    }

    @Test
    void theIndexMakesNoDocumentOfCustomResources() {
        var made = new AtomicInteger();
        var list = new AtomicReference<List<ResourceDefinition>>(List.of(widgets("uid/1", made)));
        var custom = new OpenApi(list::get, "v1.36.0");
        String before = widgetsUrl(custom);
        assertThat(made).hasValue(0);

        Document document = custom.v3("apis/widgets.example.com/v1");
        assertThat(made).hasPositiveValue();
        assertThat(before).isEqualTo("/openapi/v3/apis/widgets.example.com/v1?hash=" + document.hash());
        assertThat(document.etag()).contains(document.hash());

        list.set(List.of(widgets("uid/2", made)));
        assertThat(widgetsUrl(custom)).isNotEqualTo(before);
    }

    @Test
    void whatTellsOfCustomResourcesGoesWhenNobodyAsksForIt() {
        var list = List.of(CONFIG_MAPS, widgets("uid/1", new AtomicInteger()));
        var custom = new OpenApi(() -> list, "v1.36.0");
        Document core = custom.v3("api/v1");
        Document index = custom.index();
        Document widgets = custom.v3("apis/widgets.example.com/v1");
        Document old = custom.v2("application/json");
        custom.dropUnused();
        assertThat(custom.v3("apis/widgets.example.com/v1")).isSameAs(widgets);
        custom.dropUnused();
        assertThat(custom.v3("apis/widgets.example.com/v1")).isSameAs(widgets);
        assertThat(custom.v2("application/json"))
                .isNotSameAs(old)
                .usingRecursiveComparison()
                .isEqualTo(old);
        custom.dropUnused();
        custom.dropUnused();
        assertThat(custom.v3("apis/widgets.example.com/v1"))
                .isNotSameAs(widgets)
                .usingRecursiveComparison()
                .isEqualTo(widgets);
        assertThat(custom.v3("api/v1")).isSameAs(core);
        assertThat(custom.index()).isSameAs(index);
    }

    /** Where a document names strategic merge patches, kubectl sends them. */
    @Test
    void patchesOfCustomResourcesAreNotStrategic() {
        var custom = new OpenApi(() -> List.of(CONFIG_MAPS, widgets("uid/1", new AtomicInteger())), "v1.36.0");
        String object = "/paths/~1apis~1widgets.example.com~1v1~1namespaces~1{namespace}~1widgets~1{name}/patch/";
        List<String> types =
                List.of("application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml");
        Document v3 = custom.v3("apis/widgets.example.com/v1");
        assertThat(Json.parse(v3.content()).at(object + "requestBody/content").fieldNames())
                .toIterable()
                .containsExactlyElementsOf(types);
        JsonNode v2 = Json.parse(custom.v2("application/json").content());
        assertThat(texts(v2.at(object + "consumes"))).isEqualTo(types);
        assertThat(texts(v2.at("/paths/~1api~1v1~1namespaces~1{namespace}~1configmaps~1{name}/patch/consumes")))
                .contains("application/strategic-merge-patch+json");
    }

    private static List<String> texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(each -> texts.add(each.asText()));
        return texts;
    }

    private static ResourceDefinition widgets(String revision, AtomicInteger made) {
        return ResourceDefinition.of("widgets.example.com", "v1", "Widget", "widgets")
                .custom()
                .openApiSchema(
                        () -> {
                            made.incrementAndGet();
                            return Json.object().put("type", "object");
                        },
                        revision)
                .build();
    }

    private static String widgetsUrl(OpenApi openApi) {
        return Json.parse(openApi.index().content())
                .at("/paths/apis~1widgets.example.com~1v1/serverRelativeURL")
                .asText();
    }

    private static List<String> references(JsonNode node) {
        var found = new ArrayList<String>();
        node.findValues("$ref").stream().filter(JsonNode::isTextual).forEach(ref -> found.add(ref.asText()));
        return found;
    }
}
