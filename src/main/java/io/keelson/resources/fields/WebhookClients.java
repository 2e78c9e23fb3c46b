package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.Names;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The rules of a {@code clientConfig}: how a webhook is reached. Stateless. */
public final class WebhookClients {
    private static final String FORM = "; desired format: https://host[/path]";
    private static final int MAX_PORT = 65_535;

    private WebhookClients() {}

    /** @param client an object */
    public static void check(Faults faults, String at, JsonNode client) {
        boolean url = Trees.has(client, "url");
        JsonNode service = client.path("service");
        if (url == service.isObject()) {
            faults.required(at, "exactly one of url or service is required");
        } else if (url) {
            url(faults, at + ".url", client.path("url").asText());
        } else {
            service(faults, at + ".service", service);
        }
    }

    private static void url(Faults faults, String field, String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            faults.required(field, "url must be a valid URL: " + e.getMessage() + FORM);
            return;
        }
        if (!"https".equalsIgnoreCase(url.getScheme())) {
            faults.invalid(field, orEmpty(url.getScheme()), "'https' is the only allowed URL scheme" + FORM);
        }
        if (orEmpty(url.getHost()).isEmpty()) {
            faults.invalid(field, "", "host must be specified" + FORM);
        }
        if (url.getUserInfo() != null) {
            faults.invalid(field, url.getRawUserInfo(), "user information is not permitted in the URL");
        }
        if (!orEmpty(url.getFragment()).isEmpty()) {
            faults.invalid(field, url.getRawFragment(), "fragments are not permitted in the URL");
        }
        if (!orEmpty(url.getQuery()).isEmpty()) {
            faults.invalid(field, url.getRawQuery(), "query parameters are not permitted in the URL");
        }
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static void service(Faults faults, String at, JsonNode service) {
        if (Trees.text(service, "name").isEmpty()) {
            faults.required(at + ".name", "service name is required");
        }
        if (Trees.text(service, "namespace").isEmpty()) {
            faults.required(at + ".namespace", "service namespace is required");
        }
        JsonNode port = service.path("port");
        if (port.isNumber() && (port.asLong() < 1 || port.asLong() > MAX_PORT)) {
            faults.invalid(at + ".port", port, "port is not valid: must be between 1 and " + MAX_PORT + ", inclusive");
        }
        path(faults, at + ".path", Trees.text(service, "path"));
    }

    private static void path(Faults faults, String field, String path) {
        if (path.isEmpty() || path.equals("/")) {
            return;
        }
        if (path.equals("//")) {
            faults.invalid(field, path, "segment[0] may not be empty");
            return;
        }
        if (!path.startsWith("/")) {
            faults.invalid(field, path, "must start with a '/'");
        }
        String rest = path.substring(1);
        String[] segments = (rest.endsWith("/") ? rest.substring(0, rest.length() - 1) : rest).split("/", -1);
        for (int i = 0; i < segments.length; i++) {
            if (segments[i].isEmpty()) {
                faults.invalid(field, path, "segment[" + i + "] may not be empty");
                continue;
            }
            for (String wrong : Names.subdomain(segments[i])) {
                faults.invalid(field, path, "segment[" + i + "]: " + wrong);
            }
        }
    }

    /** Authorities, where any are given, are PEM certificates in base64. */
    public static void checkAuthorities(Faults faults, String field, JsonNode bundle) {
        if (!bundle.isTextual() || bundle.textValue().isEmpty()) {
            return;
        }
        try {
            byte[] pem = Base64.getDecoder().decode(bundle.textValue());
            if (CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem))
                    .isEmpty()) {
                faults.invalid(field, bundle, "unable to load root certificates: unable to parse bytes as PEM block");
            }
        } catch (IllegalArgumentException | CertificateException e) {
            faults.invalid(field, bundle, "unable to load root certificates: unable to parse bytes as PEM block");
        }
    }
}
