package io.keelson.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.gson.reflect.TypeToken;
import io.kubernetes.client.custom.V1Patch;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ConfigMapList;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Status;
import io.kubernetes.client.util.Config;
import io.kubernetes.client.util.PatchUtils;
import io.kubernetes.client.util.Watch;
import io.kubernetes.client.util.Yaml;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What programs do with the official Java client. */
class OfficialJavaIT extends ClientFixture {
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web}
            spec:
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec: {containers: [{name: main, image: "example.com/web:1"}]}
            """;

    private ApiClient client;
    private CoreV1Api core;

    @BeforeEach
    void connect() throws IOException {
        client = Config.fromConfig(kubeconfig().toString());
        // A watch stays open; the calls that end are bounded by the tests' own limits.
        client.setReadTimeout(0);
        core = new CoreV1Api(client);
    }

    @AfterEach
    void disconnect() {
        client.getHttpClient().dispatcher().executorService().shutdown();
        client.getHttpClient().connectionPool().evictAll();
    }

    @Test
    void creates_reads_lists_and_deletes() throws ApiException {
        V1ConfigMap created =
                core.createNamespacedConfigMap(namespace(), configMap("a", "1")).execute();
        assertThat(created.getMetadata().getUid()).isNotEmpty();
        assertThat(created.getMetadata().getCreationTimestamp()).isNotNull();
        core.createNamespacedConfigMap(namespace(), configMap("b", "1")).execute();
        assertThat(read("a")).isEqualTo(created);

        V1ConfigMapList page =
                core.listNamespacedConfigMap(namespace()).limit(1).execute();
        assertThat(names(page)).containsExactly("a");
        assertThat(page.getMetadata().getRemainingItemCount()).isEqualTo(1);
        V1ConfigMapList rest = core.listNamespacedConfigMap(namespace())
                ._continue(page.getMetadata().getContinue())
                .execute();
        assertThat(names(rest)).containsExactly("b");
        V1ConfigMapList chosen = core.listNamespacedConfigMap(namespace())
                .labelSelector("app in (a)")
                .execute();
        assertThat(names(chosen)).containsExactly("a");

        ApiException again = refusal(() ->
                core.createNamespacedConfigMap(namespace(), configMap("a", "1")).execute());
        assertThat(again.getCode()).isEqualTo(409);
        assertThat(again.getResponseBody()).contains("\"reason\":\"AlreadyExists\"");

        V1Status deleted = core.deleteNamespacedConfigMap("a", namespace())
                .propagationPolicy("Background")
                .execute();
        assertThat(deleted.getStatus()).isEqualTo("Success");
        assertThat(refusal(() -> read("a")).getCode()).isEqualTo(404);
    }

    @Test
    void an_outdated_update_is_refused_and_works_after_another_read() throws ApiException {
        core.createNamespacedConfigMap(namespace(), configMap("a", "1")).execute();
        V1ConfigMap read = read("a");
        replace(withValue(read, "2"));
        ApiException refusal = refusal(() -> replace(withValue(read, "3")));
        assertThat(refusal.getCode()).isEqualTo(409);
        assertThat(refusal.getResponseBody()).contains("\"reason\":\"Conflict\"");
        assertThat(value(replace(withValue(read("a"), "3")))).isEqualTo("3");
    }

    @Test
    void patches() throws ApiException {
        core.createNamespacedConfigMap(namespace(), configMap("a", "1")).execute();
        patch("a", V1Patch.PATCH_FORMAT_JSON_MERGE_PATCH, "{\"data\":{\"merged\":\"yes\"}}");
        patch("a", V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"$patch\":\"replace\",\"value\":\"x\"}}");
        patch("a", V1Patch.PATCH_FORMAT_STRATEGIC_MERGE_PATCH, "{\"data\":{\"more\":\"yes\"}}");
        V1ConfigMap patched = patch(
                "a",
                V1Patch.PATCH_FORMAT_JSON_PATCH,
                "[{\"op\":\"replace\",\"path\":\"/data/value\",\"value\":\"2\"}]");
        assertThat(patched.getData()).containsOnly(Map.entry("value", "2"), Map.entry("more", "yes"));
    }

    @Test
    void reads_a_deployment_with_its_defaults_and_its_scale() throws ApiException {
        AppsV1Api apps = new AppsV1Api(client);
        V1Deployment created = apps.createNamespacedDeployment(namespace(), Yaml.loadAs(DEPLOYMENT, V1Deployment.class))
                .execute();
        assertThat(created.getSpec().getReplicas()).isEqualTo(1);
        assertThat(created.getSpec()
                        .getStrategy()
                        .getRollingUpdate()
                        .getMaxSurge()
                        .getStrValue())
                .isEqualTo("25%");
        assertThat(apps.readNamespacedDeploymentScale("web", namespace())
                        .execute()
                        .getSpec()
                        .getReplicas())
                .isEqualTo(1);
        apps.deleteNamespacedDeployment("web", namespace())
                .propagationPolicy("Background")
                .execute();
    }

    @Test
    void a_watch_tells_what_changes() throws ApiException, IOException {
        create("a", "1");
        V1ConfigMapList list = core.listNamespacedConfigMap(namespace()).execute();
        try (Watch<V1ConfigMap> watch = Watch.createWatch(
                client,
                core.listNamespacedConfigMap(namespace())
                        .resourceVersion(list.getMetadata().getResourceVersion())
                        .allowWatchBookmarks(true)
                        .watch(true)
                        .buildCall(null),
                new TypeToken<Watch.Response<V1ConfigMap>>() {}.getType())) {
            replace("a", "2");
            delete("a");
            Watch.Response<V1ConfigMap> modified = watch.next();
            assertThat(modified.type).isEqualTo("MODIFIED");
            assertThat(value(modified.object)).isEqualTo("2");
            assertThat(watch.next().type).isEqualTo("DELETED");
        }
    }

    @Test
    void a_shared_informer_sees_each_change_once_over_restarts() {
        create("a", "1");
        Observations seen = new Observations();
        SharedInformerFactory factory = new SharedInformerFactory(client);
        try {
            SharedIndexInformer<V1ConfigMap> informer = factory.sharedIndexInformerFor(
                    parameters -> core.listNamespacedConfigMap(namespace())
                            .resourceVersion(parameters.resourceVersion)
                            .timeoutSeconds(parameters.timeoutSeconds)
                            .watch(parameters.watch)
                            .buildCall(null),
                    V1ConfigMap.class,
                    V1ConfigMapList.class,
                    Duration.ZERO.toMillis());
            informer.addEventHandler(handler(seen));
            factory.startAllRegisteredInformers();
            Awaitility.await("synced").atMost(TIMEOUT).until(informer::hasSynced);
            seen.awaitNext("added a 1");
            restart();
            replace("a", "2");
            create("b", "1");
            seen.awaitNext("modified a 2", "added b 1");
            crash();
            delete("a");
            replace("b", "2");
            seen.awaitNext("deleted a 2", "modified b 2");
            assertThat(informer.getIndexer().list())
                    .extracting(OfficialJavaIT::value)
                    .containsExactly("2");
        } finally {
            factory.stopAllRegisteredInformers();
        }
    }

    private V1ConfigMap read(String name) throws ApiException {
        return core.readNamespacedConfigMap(name, namespace()).execute();
    }

    private V1ConfigMap replace(V1ConfigMap object) throws ApiException {
        return core.replaceNamespacedConfigMap(object.getMetadata().getName(), namespace(), object)
                .execute();
    }

    private V1ConfigMap patch(String name, String format, String patch) throws ApiException {
        return PatchUtils.patch(
                V1ConfigMap.class,
                () -> core.patchNamespacedConfigMap(name, namespace(), new V1Patch(patch))
                        .buildCall(null),
                format,
                client);
    }

    private static ApiException refusal(ThrowingCallable call) {
        return catchThrowableOfType(ApiException.class, call);
    }

    private static ResourceEventHandler<V1ConfigMap> handler(Observations seen) {
        return new ResourceEventHandler<>() {
            @Override
            public void onAdd(V1ConfigMap object) {
                seen.add("added", object.getMetadata().getName(), value(object));
            }

            @Override
            public void onUpdate(V1ConfigMap before, V1ConfigMap object) {
                // A list after a break reports what has not changed, too.
                if (!before.equals(object)) {
                    seen.add("modified", object.getMetadata().getName(), value(object));
                }
            }

            @Override
            public void onDelete(V1ConfigMap object, boolean unknownState) {
                seen.add("deleted", object.getMetadata().getName(), value(object));
            }
        };
    }

    private static V1ConfigMap configMap(String name, String value) {
        return new V1ConfigMap()
                .metadata(new V1ObjectMeta().name(name).labels(Map.of("app", name)))
                .data(Map.of("value", value));
    }

    /** A copy with another value; what was read stays as it is. */
    private static V1ConfigMap withValue(V1ConfigMap object, String value) {
        return new V1ConfigMap().metadata(object.getMetadata()).data(Map.of("value", value));
    }

    private static List<String> names(V1ConfigMapList list) {
        return list.getItems().stream()
                .map(item -> item.getMetadata().getName())
                .toList();
    }

    private static String value(V1ConfigMap object) {
        return object.getData().get("value");
    }
}
