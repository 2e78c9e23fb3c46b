package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keelson.testing.ApiClient;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import io.keelson.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** What {@link KubectlIT} does, on etcd, and what etcd then holds. */
class KubectlEtcdIT extends KubectlIT {
    private EtcdServer etcd;

    @Override
    protected ServerProcess.Builder server(Path folder) {
        etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5);
        return ServerProcess.etcd(folder, etcd.endpoint());
    }

    @AfterAll
    void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }

    @Test
    void etcdctl_shows_the_keys_and_the_objects_as_json() throws IOException {
        String namespace = namespace();
        api().post("/api/v1/namespaces/" + namespace + "/configmaps", ApiClient.configMap("a", "shown"))
                .succeeded();
        api().post(
                        "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases",
                        "{\"metadata\":{\"name\":\"held\"},\"spec\":{\"holderIdentity\":\"me\"}}")
                .succeeded();
        assertThat(etcd.etcdctl("get", "/registry", "--prefix", "--keys-only").lines())
                .contains(
                        "/registry/namespaces/default",
                        "/registry/namespaces/" + namespace,
                        "/registry/configmaps/" + namespace + "/a",
                        "/registry/coordination.k8s.io/leases/" + namespace + "/held");
        JsonNode stored = new ObjectMapper()
                .readTree(etcd.etcdctl("get", "/registry/configmaps/" + namespace + "/a", "--print-value-only"));
        assertThat(stored.at("/kind").asText()).isEqualTo("ConfigMap");
        assertThat(stored.at("/data/value").asText()).isEqualTo("shown");
        assertThat(stored.at("/metadata/uid").asText()).isNotEmpty();
        assertThat(stored.at("/metadata").has("resourceVersion")).isFalse();
    }
}
