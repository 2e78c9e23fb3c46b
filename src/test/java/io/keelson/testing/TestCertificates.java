package io.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate authority of a test with a server's certificate for localhost and a client's, made by the JDK's keytool
 * and written as PEM files into a folder.
 */
public final class TestCertificates {
    private static final String PASSWORD = "changeit";

    private final Path folder;

    private TestCertificates(Path folder) {
        this.folder = folder;
    }

    public static TestCertificates create(Path folder) {
        TestCertificates certificates = new TestCertificates(folder);
        Path store = folder.resolve("store.p12");
        certificates.generate(store, "ca", List.of("-ext", "bc:critical=ca:true"));
        List<String> leaf =
                List.of("-signer", "ca", "-ext", "san=dns:localhost,ip:127.0.0.1", "-ext", "eku=serverAuth,clientAuth");
        certificates.generate(store, "server", leaf);
        certificates.generate(store, "client", leaf);
        certificates.export(store);
        return certificates;
    }

    public Path caFile() {
        return folder.resolve("ca.crt");
    }

    public Path serverCertFile() {
        return folder.resolve("server.crt");
    }

    public Path serverKeyFile() {
        return folder.resolve("server.key");
    }

    public Path clientCertFile() {
        return folder.resolve("client.crt");
    }

    public Path clientKeyFile() {
        return folder.resolve("client.key");
    }

    /** What a server of a test shows its clients. */
    public SSLContext serverContext() {
        try {
            char[] password = PASSWORD.toCharArray();
            KeyStore store = KeyStore.getInstance(folder.resolve("store.p12").toFile(), password);
            store.deleteEntry("client");
            store.deleteEntry("ca");
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(store, password);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The authority as definitions of webhooks carry it: PEM in base64. */
    public String caBundle() {
        try {
            return Base64.getEncoder().encodeToString(Files.readAllBytes(caFile()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void generate(Path store, String alias, List<String> extras) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                alias,
                "-dname",
                "CN=" + alias,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-validity",
                "2"));
        command.addAll(extras);
        String ignored = Commands.run(Map.of(), command);
    }

    private void export(Path file) {
        char[] password = PASSWORD.toCharArray();
        try {
            KeyStore store = KeyStore.getInstance(file.toFile(), password);
            for (String alias : List.of("ca", "server", "client")) {
                Certificate certificate = store.getCertificateChain(alias)[0];
                Files.writeString(folder.resolve(alias + ".crt"), pem("CERTIFICATE", certificate.getEncoded()));
                Key key = store.getKey(alias, password);
                Files.writeString(folder.resolve(alias + ".key"), pem("PRIVATE KEY", key.getEncoded()));
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pem(String type, byte[] content) {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, text, type);
    }
}
