package io.keelson.storage.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class EtcdOptionsTest {
    /** What comes before the key itself in the PKCS#8 form of an RSA key of 2048 bits. */
    private static final int PKCS8_HEADER_BYTES = 26;

    @ParameterizedTest
    @CsvSource({
        "http://etcd-1:2379, etcd-1, 2379, false",
        "https://etcd-1, etcd-1, 2379, true",
        "etcd-1:4001, etcd-1, 4001, false",
        "https://[::1]:2379, [::1], 2379, true"
    })
    void endpoint_is_read(String text, String host, int port, boolean tls) {
        assertThat(EtcdEndpoint.Address.parse(text, false)).isEqualTo(new EtcdEndpoint.Address(host, port, tls));
    }

    @Test
    void endpoint_without_scheme_is_spoken_to_with_tls_where_tls_files_are_given() {
        assertThat(EtcdEndpoint.Address.parse("etcd-1:2379", true).tls()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ftp://etcd-1", "http://", "http://a b", "etcd-1:port"})
    void endpoint_that_is_none_is_refused_by_name(String text) {
        assertThatThrownBy(() -> EtcdEndpoint.Address.parse(text, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining('"' + text + '"');
    }

    @Test
    void plain_endpoint_with_tls_files_is_refused() {
        assertThatThrownBy(() -> EtcdEndpoint.Address.parse("http://etcd-1", true))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void options_that_cannot_work_are_refused() {
        Path file = Path.of("client.pem");
        Duration timeout = EtcdOptions.DEFAULT_TIMEOUT;
        assertThatThrownBy(() -> new EtcdOptions(List.of(), null, null, null, true, timeout))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EtcdOptions(List.of("a"), null, file, null, true, timeout))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new EtcdOptions(List.of("a"), null, null, null, true, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void missing_tls_file_is_named() {
        EtcdOptions options = new EtcdOptions(
                List.of("https://a"), Path.of("no-such-ca.pem"), null, null, true, EtcdOptions.DEFAULT_TIMEOUT);
        assertThatThrownBy(() -> EtcdKvStore.connect(options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no-such-ca.pem");
    }

    @Test
    void rsa_key_in_pkcs1_is_read_as_pkcs8() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        byte[] pkcs8 = generator.generateKeyPair().getPrivate().getEncoded();
        byte[] pkcs1 = Arrays.copyOfRange(pkcs8, PKCS8_HEADER_BYTES, pkcs8.length);
        String pem = "-----BEGIN RSA PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pkcs1) + "\n-----END RSA PRIVATE KEY-----\n";
        String read = new String(EtcdTls.pkcs8(pem), US_ASCII);
        assertThat(Base64.getMimeDecoder().decode(read.replaceAll("-----.*-----", "")))
                .isEqualTo(pkcs8);
        assertThat(new String(EtcdTls.pkcs8(read), US_ASCII)).isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource({
        "3.3.27, false", "3.4.23, false", "3.4.30, false", "3.4.31, true", "3.5.0, false", "3.5.12, false",
        "3.5.13, true", "3.5.16, true", "3.6.0-rc.1, true", "4.0.0, true", "'', false", "unknown, false"
    })
    void version_tells_whether_progress_is_reliable(String version, boolean reliable) {
        assertThat(EtcdVersion.parse(version).reliableProgress()).isEqualTo(reliable);
    }
}
