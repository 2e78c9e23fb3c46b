package io.keelson.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EtcdServerTest {
    @ParameterizedTest
    @EnumSource
    void keeps_its_data_when_it_is_restarted(EtcdVersion version) {
        try (EtcdServer etcd = EtcdServer.startWithoutFsync(version)) {
            assertThat(etcd.etcdctl("version")).contains("etcdctl version: " + version.minor() + ".");
            String endpoint = etcd.endpoint();
            etcd.etcdctl("put", "a", "1");
            etcd.restart();
            assertThat(etcd.etcdctl("get", "a", "--print-value-only").strip()).isEqualTo("1");

            etcd.etcdctl("put", "b", "2");
            etcd.kill();
            assertThatThrownBy(() -> etcd.etcdctl("--command-timeout=1s", "get", "b"))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("ended with code 1");
            etcd.restart();
            assertThat(etcd.endpoint()).isEqualTo(endpoint);
            assertThat(etcd.etcdctl("get", "b", "--print-value-only").strip()).isEqualTo("2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void admits_only_clients_with_a_certificate_on_tls(EtcdVersion version) {
        try (EtcdServer etcd = EtcdServer.startTls(version)) {
            assertThat(etcd.endpoint()).startsWith("https://");
            etcd.etcdctl("put", "a", "1");
            assertThat(etcd.etcdctl("get", "a", "--print-value-only").strip()).isEqualTo("1");
            if (TestTools.etcdImage(version).isEmpty()) {
                List<String> withoutCertificate = List.of(
                        TestTools.etcdctl(version).toString(),
                        "--endpoints=" + etcd.endpoint(),
                        "--cacert=" + etcd.caFile(),
                        "--command-timeout=1s",
                        "get",
                        "a");
                assertThatThrownBy(() -> Commands.run(Map.of("ETCDCTL_API", "3"), withoutCertificate))
                        .isInstanceOf(AssertionError.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void says_why_it_does_not_start(EtcdVersion version) {
        assertThatThrownBy(() -> EtcdServer.start(version, "--no-such-flag"))
                .hasStackTraceContaining("etcd ended while starting")
                .hasStackTraceContaining("no-such-flag");
    }

    @ParameterizedTest
    @EnumSource
    void leaves_no_files_behind(EtcdVersion version) {
        EtcdServer etcd = EtcdServer.startTls(version);
        etcd.close();
        assertThat(Files.exists(etcd.caFile().getParent())).isFalse();
    }
}
