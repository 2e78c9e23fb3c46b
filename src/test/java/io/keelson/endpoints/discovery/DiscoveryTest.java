package io.keelson.endpoints.discovery;

import static io.keelson.endpoints.TestResources.CONFIG_MAPS;
import static io.keelson.endpoints.TestResources.NAMESPACES;
import static io.keelson.endpoints.TestResources.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.ApiException;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.endpoints.TestResources;
import io.keelson.endpoints.output.Document;
import io.keelson.registry.ResourceDefinition;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryTest {
    private static final String ALL =
            "'verbs':['create','delete','deletecollection','get','list','patch','update','watch']";
    private static final String PART = "'verbs':['get','patch','update']";
    private static final String V2 = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    private static final String V2BETA1 = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

    private final Discovery discovery = new Discovery(() -> TestResources.ALL, "127.0.0.1:8080");

    private JsonNode get(String path, String accept) {
        return Json.parse(discovery.find(path, accept).content());
    }

    @Test
    void theVersionsOfTheCoreGroup() {
        assertThat(get("/api", null))
                .isEqualTo(tree("{'kind':'APIVersions','versions':['v1'],'serverAddressByClientCIDRs':"
                        + "[{'clientCIDR':'0.0.0.0/0','serverAddress':'127.0.0.1:8080'}]}"));
    }

    @Test
    void theResourcesOfTheCoreGroup() {
        assertThat(get("/api/v1", "application/json"))
                .isEqualTo(tree("{'kind':'APIResourceList','groupVersion':'v1','resources':["
                        + "{'name':'configmaps','singularName':'configmap','namespaced':true,'kind':'ConfigMap'," + ALL
                        + ",'shortNames':['cm'],'storageVersionHash':'qFsyl6wFWjQ='},"
                        + "{'name':'namespaces','singularName':'namespace','namespaced':false,'kind':'Namespace',"
                        + "'verbs':['create','delete','get','list','patch','update','watch'],'shortNames':['ns'],"
                        + "'storageVersionHash':'Q3oi5N2YM8M='},"
                        + "{'name':'namespaces/finalize','singularName':'','namespaced':false,'kind':'Namespace',"
                        + "'verbs':['update']},"
                        + "{'name':'namespaces/status','singularName':'','namespaced':false,'kind':'Namespace'," + PART
                        + "},"
                        + "{'name':'pods','singularName':'pod','namespaced':true,'kind':'Pod'," + ALL
                        + ",'shortNames':['po'],'categories':['all'],'storageVersionHash':'xPOwRZ+Yhw8='},"
                        + podPart("attach", "'kind':'PodAttachOptions','verbs':['create','get']")
                        + podPart("binding", "'kind':'Binding','verbs':['create']")
                        + podPart("ephemeralcontainers", "'kind':'Pod'," + PART)
                        + podPart("eviction", "'group':'policy','version':'v1','kind':'Eviction','verbs':['create']")
                        + podPart("exec", "'kind':'PodExecOptions','verbs':['create','get']")
                        + podPart("log", "'kind':'Pod','verbs':['get']")
                        + podPart("portforward", "'kind':'PodPortForwardOptions','verbs':['create','get']")
                        + podPart(
                                "proxy", "'kind':'PodProxyOptions','verbs':['create','delete','get','patch','update']")
                        + podPart("resize", "'kind':'Pod'," + PART)
                        + "{'name':'pods/status','singularName':'','namespaced':true,'kind':'Pod'," + PART + "}]}"));
    }

    private static String podPart(String name, String rest) {
        return "{'name':'pods/" + name + "','singularName':'','namespaced':true," + rest + "},";
    }

    @Test
    void theResourcesOfANamedGroup() {
        assertThat(get("/apis/apps/v1", "*/*"))
                .isEqualTo(tree("{'kind':'APIResourceList','apiVersion':'v1','groupVersion':'apps/v1','resources':["
                        + "{'name':'deployments','singularName':'deployment','namespaced':true,'kind':'Deployment',"
                        + ALL
                        + ",'shortNames':['deploy'],'categories':['all'],'storageVersionHash':'8aSe+NMegvE='},"
                        + "{'name':'deployments/scale','singularName':'','namespaced':true,'group':'autoscaling',"
                        + "'version':'v1','kind':'Scale'," + PART + "},"
                        + "{'name':'deployments/status','singularName':'','namespaced':true,'kind':'Deployment'," + PART
                        + "}]}"));
    }

    @Test
    void theGroups() {
        JsonNode list = get("/apis", "application/json");
        assertThat(list.path("kind").asText()).isEqualTo("APIGroupList");
        assertThat(list.path("groups").findValuesAsText("name"))
                .containsExactly("apps", "events.k8s.io", "coordination.k8s.io", "example.com");
        assertThat(list.at("/groups/3"))
                .isEqualTo(tree("{'name':'example.com','versions':[{'groupVersion':'example.com/v1','version':'v1'},"
                        + "{'groupVersion':'example.com/v1beta1','version':'v1beta1'}],"
                        + "'preferredVersion':{'groupVersion':'example.com/v1','version':'v1'}}"));
    }

    @Test
    void oneGroup() {
        assertThat(get("/apis/apps", null))
                .isEqualTo(tree("{'kind':'APIGroup','apiVersion':'v1','name':'apps','versions':"
                        + "[{'groupVersion':'apps/v1','version':'v1'}],"
                        + "'preferredVersion':{'groupVersion':'apps/v1','version':'v1'}}"));
    }

    @Test
    void aggregatedCoreGroup() {
        Document document = discovery.find("/api", V2 + "," + V2BETA1 + ",application/json");
        assertThat(document.contentType()).isEqualTo(V2);
        JsonNode list = Json.parse(document.content());
        assertThat(list.path("apiVersion").asText()).isEqualTo("apidiscovery.k8s.io/v2");
        assertThat(list.path("kind").asText()).isEqualTo("APIGroupDiscoveryList");
        assertThat(list.at("/items/0/metadata")).isEmpty();
        assertThat(list.at("/items/0/versions/0/freshness").asText()).isEqualTo("Current");
        assertThat(list.at("/items/0/versions/0/resources/0"))
                .isEqualTo(tree("{'resource':'configmaps','responseKind':{'group':'','version':'','kind':'ConfigMap'},"
                        + "'scope':'Namespaced','singularResource':'configmap'," + ALL + ",'shortNames':['cm']}"));
    }

    @Test
    void aggregatedNamedGroups() {
        JsonNode list = get("/apis", V2);
        assertThat(list.path("items").findValuesAsText("name"))
                .containsExactly("apps", "events.k8s.io", "coordination.k8s.io", "example.com");
        assertThat(list.at("/items/0"))
                .isEqualTo(tree("{'metadata':{'name':'apps'},'versions':[{'version':'v1','resources':["
                        + "{'resource':'deployments','responseKind':{'group':'','version':'','kind':'Deployment'},"
                        + "'scope':'Namespaced','singularResource':'deployment'," + ALL
                        + ",'shortNames':['deploy'],'categories':['all'],'subresources':["
                        + "{'subresource':'scale','responseKind':{'group':'autoscaling','version':'v1','kind':'Scale'},"
                        + PART
                        + "},{'subresource':'status','responseKind':{'group':'','version':'','kind':'Deployment'},"
                        + PART + "}]}],'freshness':'Current'}]}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                V2BETA1 + ",application/json | apidiscovery.k8s.io/v2beta1",
                "application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList," + V2BETA1
                        + " | apidiscovery.k8s.io/v2beta1",
                "application/json," + V2 + " | v1",
                V2 + ";q=0.5,application/json | v1",
                "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," + V2
                        + " | apidiscovery.k8s.io/v2",
                "application/json;g=other;v=v2;as=APIGroupDiscoveryList,application/json | v1",
            })
    void givesTheFormThatIsPreferred(String accept, String apiVersion) {
        assertThat(get("/apis", accept).path("apiVersion").asText()).isEqualTo(apiVersion);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "",
                "/healthz",
                "/apisx",
                "/api/v2",
                "/api/v1/pods",
                "/apis/none",
                "/apis/apps/v9",
                "/apis/apps/v1/deployments",
                "/apis//v1",
                "/apis//"
            })
    void nothingIsElsewhere(String path) {
        assertThat(discovery.find(path, null)).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/", "/apis/", "/api/v1/", "/apis/apps/", "/apis/apps/v1/"})
    void aSlashAtTheEndChangesNothing(String path) {
        String bare = path.substring(0, path.length() - 1);
        assertThat(discovery.find(path, null).hash())
                .isEqualTo(discovery.find(bare, null).hash());
    }

    @Test
    void refusesWhatItCannotGive() {
        ApiException refusal = catchThrowableOfType(ApiException.class, () -> discovery.find("/api/v1", "text/html"));
        assertThat(refusal.status().code()).isEqualTo(406);
        assertThat(discovery.find("/api/v1", "application/yaml").contentType()).isEqualTo("application/yaml");
    }

    @Test
    void aClientThatHasTheDocumentKnowsItByItsTag() {
        Document document = discovery.find("/apis", V2);
        assertThat(document.etag()).matches("\"[0-9A-F]{64}\"");
        assertThat(document.matches(document.etag())).isTrue();
        assertThat(document.matches("\"other\", W/" + document.etag())).isTrue();
        assertThat(document.matches("\"other\"")).isFalse();
        assertThat(document.hash())
                .isNotEqualTo(discovery.find("/apis", V2BETA1).hash());
    }

    @Test
    void followsTheListOfResources() {
        var list = new AtomicReference<List<ResourceDefinition>>(List.of(CONFIG_MAPS));
        var changing = new Discovery(list::get, "");
        Document before = changing.find("/api/v1", null);
        list.set(List.of(CONFIG_MAPS));
        assertThat(changing.find("/api/v1", null)).isSameAs(before);
        list.set(List.of(CONFIG_MAPS, NAMESPACES));
        assertThat(changing.find("/api/v1", null).hash()).isNotEqualTo(before.hash());
        assertThat(Json.parse(changing.find("/api", V2).content()).findValuesAsText("resource"))
                .containsExactly("configmaps", "namespaces");
    }

    @Test
    void ordersVersionsByStabilityAndAge() {
        assertThat(Stream.of("v1alpha1", "v2", "foo", "v1beta2", "v10", "v1", "v2beta1", "bar", "v1beta10")
                        .map(version -> new GroupVersion("g", version))
                        .sorted(GroupVersion.ORDER)
                        .map(GroupVersion::version))
                .containsExactly("v10", "v2", "v1", "v2beta1", "v1beta10", "v1beta2", "v1alpha1", "bar", "foo");
    }

    @Test
    void theHashTellsTheStoredTypesApart() {
        assertThat(LegacyDiscovery.storageVersionHash(new GroupVersionKind("", "v1", "Pod")))
                .isEqualTo("xPOwRZ+Yhw8=");
    }
}
