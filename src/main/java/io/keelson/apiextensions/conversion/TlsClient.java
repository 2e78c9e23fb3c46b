package io.keelson.apiextensions.conversion;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.ref.SoftReference;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client that trusts the servers of a bundle of authorities. It is made when it is first needed and given back, with its
 * thread and its connections, when it has not been used for long. Thread-safe.
 */
final class TlsClient {
    /** How long it takes at most to reach a server. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);

    private final String bundle;
    private volatile @Nullable SoftReference<HttpClient> made;

    /** @param bundle of PEM certificates in base64; empty for the authorities that the platform trusts */
    TlsClient(String bundle) {
        this.bundle = bundle;
    }

    /** Two threads that ask at once may make one each, to the same effect. */
    HttpClient http() throws GeneralSecurityException, IOException {
        SoftReference<HttpClient> known = made;
        HttpClient client = known == null ? null : known.get();
        if (client == null) {
            client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .executor(Executors.newVirtualThreadPerTaskExecutor())
                    .sslContext(context())
                    .build();
            made = new SoftReference<>(client);
        }
        return client;
    }

    private SSLContext context() throws GeneralSecurityException, IOException {
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(bundle.isEmpty() ? null : authorities());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    private KeyStore authorities() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        byte[] pem = Base64.getDecoder().decode(bundle);
        int number = 0;
        for (Certificate authority :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            store.setCertificateEntry("ca-" + number++, authority);
        }
        if (number == 0) {
            throw new GeneralSecurityException("unable to load root certificates: unable to parse bytes as PEM block");
        }
        return store;
    }
}
