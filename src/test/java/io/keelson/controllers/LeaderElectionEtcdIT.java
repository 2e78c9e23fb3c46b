package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keelson.testing.ApiClient;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import io.keelson.testing.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two servers on one etcd: the controllers run in one, and go on in the other when that one is killed. */
class LeaderElectionEtcdIT {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String LEASE =
            "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/keelson-controllers";
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
    private static final int MANY = 1_000;
    private static final String LEADS = "runs the controllers";

    @TempDir
    private Path folder;

    private ServerProcess start(String name, EtcdServer etcd) throws IOException {
        return ServerProcess.etcd(Files.createDirectory(folder.resolve(name)), etcd.endpoint())
                .set("KEELSON_CONTROLLERS_LEASE_DURATION", "3s")
                .start();
    }

    private static String holder(ApiClient api) {
        return api.get(LEASE).at("/spec/holderIdentity");
    }

    @Test
    void the_controllers_run_in_one_of_two_servers_and_go_on_in_the_other() throws IOException {
        try (EtcdServer etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5);
                ServerProcess first = start("first", etcd);
                ApiClient firstApi = new ApiClient(first.url())) {
            await().atMost(PATIENCE).until(() -> first.output().contains(LEADS));
            String holder = holder(firstApi);
            assertThat(holder).isNotEmpty();
            try (ServerProcess second = start("second", etcd);
                    ApiClient api = new ApiClient(second.url())) {
                String uid = api.post(CONFIG_MAPS, ApiClient.configMap("owner", "1"))
                        .succeeded()
                        .at("/metadata/uid");
                ManyObjects.create(
                        api, CONFIG_MAPS, MANY, i -> ManyObjects.dependent("d" + i, "ConfigMap", "owner", uid, true));
                assertThat(holder(api)).isEqualTo(holder);
                assertThat(second.output()).doesNotContain(LEADS);

                api.delete(CONFIG_MAPS + "/owner?propagationPolicy=Foreground").succeeded();
                first.kill();

                await().atMost(PATIENCE).until(() -> ManyObjects.count(api, CONFIG_MAPS) == 0);
                await().atMost(PATIENCE).until(() -> second.output().contains(LEADS));
                assertThat(holder(api)).isNotEqualTo(holder);

                // Who stops gives the lease back, so that the next does not wait for it to run out.
                assertThat(second.stop()).isIn(0, 143);
                assertThat(etcd.etcdctl(
                                "get",
                                "/registry/coordination.k8s.io/leases/kube-system/keelson-controllers",
                                "--print-value-only"))
                        .contains("leaseTransitions")
                        .doesNotContain("holderIdentity\":");
            }
        }
    }
}
