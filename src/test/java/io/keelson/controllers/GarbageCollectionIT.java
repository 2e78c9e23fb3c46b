package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keelson.testing.ApiClient;
import io.keelson.testing.KubectlFixture;
import java.time.Duration;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** What deletions come to on a server with its controllers: owners and dependents, namespaces, thousands of them, restarts. */
class GarbageCollectionIT extends KubectlFixture {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int MANY = 5_000;

    /** How long a namespace of five thousand objects may take to go. */
    private static final Duration NAMESPACE_LIMIT = Duration.ofSeconds(30);

    private String path(String resource) {
        return "/api/v1/namespaces/" + namespace() + "/" + resource;
    }

    private String create(String name) {
        return api().post(path("configmaps"), ApiClient.configMap(name, "1"))
                .succeeded()
                .at("/metadata/uid");
    }

    private void dependent(String name, String owner, String uid, boolean blocking) {
        api().post(path("configmaps"), ManyObjects.dependent(name, "ConfigMap", owner, uid, blocking))
                .succeeded();
    }

    private int code(String name) {
        return api().get(path("configmaps/" + name)).code();
    }

    private void awaitGone(String name) {
        await(name).atMost(PATIENCE).until(() -> code(name) == 404);
    }

    @Test
    void kubectl_deletes_in_the_background_in_the_foreground_and_orphaning() {
        dependent("a", "background", create("background"), false);
        call("delete", "configmap", "background", "--cascade=background");
        awaitGone("a");

        dependent("b", "foreground", create("foreground"), true);
        call("delete", "configmap", "foreground", "--cascade=foreground");
        // kubectl waits for its end, which comes after that of the dependent.
        assertThat(code("foreground")).isEqualTo(404);
        assertThat(code("b")).isEqualTo(404);

        dependent("c", "orphaning", create("orphaning"), false);
        call("delete", "configmap", "orphaning", "--cascade=orphan");
        assertThat(code("orphaning")).isEqualTo(404);
        assertThat(api().get(path("configmaps/c"))
                        .succeeded()
                        .json()
                        .path("metadata")
                        .has("ownerReferences"))
                .isFalse();
    }

    @Test
    void deployments_take_what_they_own_along() {
        String deployment = "/apis/apps/v1/namespaces/" + namespace() + "/deployments";
        String replicaSet = "/apis/apps/v1/namespaces/" + namespace() + "/replicasets";
        String spec = "\"spec\":{\"selector\":{\"matchLabels\":{\"a\":\"b\"}},\"template\":{\"metadata\":{\"labels\":"
                + "{\"a\":\"b\"}},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}}}";
        String owner = api().post(deployment, "{\"metadata\":{\"name\":\"web\"}," + spec)
                .succeeded()
                .at("/metadata/uid");
        String uid = api().post(
                        replicaSet,
                        "{\"metadata\":{\"name\":\"web-1\",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":"
                                + "\"Deployment\",\"name\":\"web\",\"uid\":\"" + owner
                                + "\",\"controller\":true,\"blockOwnerDeletion\":true}]}," + spec)
                .succeeded()
                .at("/metadata/uid");
        api().post(
                        path("pods"),
                        "{\"metadata\":{\"name\":\"web-1-x\",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":"
                                + "\"ReplicaSet\",\"name\":\"web-1\",\"uid\":\"" + uid
                                + "\",\"controller\":true,\"blockOwnerDeletion\":true}]},"
                                + "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}")
                .succeeded();
        api().delete(deployment + "/web").succeeded();
        await().atMost(PATIENCE)
                .until(() -> api().get(path("pods/web-1-x")).code() == 404
                        && api().get(replicaSet + "/web-1").code() == 404);
    }

    @Test
    void custom_resources_own_and_are_owned() {
        apply("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: parents.gc.example.com}
                spec:
                  group: gc.example.com
                  scope: Namespaced
                  names: {plural: parents, kind: Parent}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object}}
                """).succeeded();
        call("wait", "--for=condition=Established", "crd/parents.gc.example.com");
        String parents = "/apis/gc.example.com/v1/namespaces/" + namespace() + "/parents";
        String parent = "{\"apiVersion\":\"gc.example.com/v1\",\"kind\":\"Parent\",\"metadata\":{\"name\":\"";
        String owner = api().post(parents, parent + "p\"}}").succeeded().at("/metadata/uid");
        String reference =
                "\"ownerReferences\":[{\"apiVersion\":\"gc.example.com/v1\",\"kind\":\"Parent\",\"name\":\"p\","
                        + "\"uid\":\"" + owner + "\"}]";
        api().post(path("configmaps"), "{\"metadata\":{\"name\":\"of-custom\"," + reference + "}}")
                .succeeded();
        api().post(parents, parent + "child\"," + reference + "}}").succeeded();

        // The definition goes after its objects, and what they own after them.
        call("delete", "crd", "parents.gc.example.com");

        awaitGone("of-custom");
    }

    @Test
    void thousands_of_dependents_go_though_the_server_is_killed_meanwhile() {
        String uid = create("owner");
        create("other");
        ManyObjects.create(
                api(),
                path("configmaps"),
                MANY,
                i -> ManyObjects.dependent("d" + i, "ConfigMap", "owner", uid, i % 2 == 0));

        api().delete(path("configmaps/owner?propagationPolicy=Foreground")).succeeded();
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> ManyObjects.count(api(), path("configmaps")) < MANY - 100);
        server().kill();
        server().restart();

        await().atMost(PATIENCE).until(() -> ManyObjects.count(api(), path("configmaps")) == 1);
        assertThat(code("other")).isEqualTo(200);
        assertThat(code("owner")).isEqualTo(404);
    }

    @Test
    void a_namespace_of_five_thousand_objects_of_ten_kinds_goes() {
        String meta = "{\"metadata\":{\"name\":\"";
        create(path("configmaps"), i -> ApiClient.configMap("o" + i, "1"));
        create(path("secrets"), i -> meta + "o" + i + "\"}}");
        create(path("serviceaccounts"), i -> meta + "o" + i + "\"}}");
        create(path("events"), i -> meta + "o" + i + "\"},\"involvedObject\":{\"namespace\":\"" + namespace() + "\"}}");
        create(path("pods"), i -> meta + "o" + i + "\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}");
        create(path("endpoints"), i -> meta + "o" + i + "\"}}");
        create(path("limitranges"), i -> meta + "o" + i + "\"},\"spec\":{\"limits\":[]}}");
        create(group("coordination.k8s.io/v1", "leases"), i -> meta + "o" + i + "\"},\"spec\":{}}");
        create(group("rbac.authorization.k8s.io/v1", "roles"), i -> meta + "o" + i + "\"},\"rules\":[]}");
        create(
                group("networking.k8s.io/v1", "networkpolicies"),
                i -> meta + "o" + i + "\"},\"spec\":{\"podSelector\":{}}}");

        api().delete("/api/v1/namespaces/" + namespace()).succeeded();

        await().atMost(NAMESPACE_LIMIT)
                .until(() -> api().get("/api/v1/namespaces/" + namespace()).code() == 404);
        assertThat(ManyObjects.count(api(), path("configmaps"))).isZero();
    }

    private void create(String path, IntFunction<String> object) {
        ManyObjects.create(api(), path, MANY / 10, object);
    }

    private String group(String version, String resource) {
        return "/apis/" + version + "/namespaces/" + namespace() + "/" + resource;
    }
}
