package io.keelson.resources.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.registry.Ages;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.StatusRest;
import io.keelson.registry.Strategy;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Certificate signing requests: stored and approved here, signed by others. */
public final class CertificateSigningRequests {
    /** The shortest life of a certificate that may be asked for, in seconds. */
    private static final int SHORTEST_LIFE = 600;

    private static final String LEGACY_SIGNER = "kubernetes.io/legacy-unknown";
    private static final String PEM_BEGIN = "-----BEGIN ";

    private static final List<String> USAGES = List.of(
            "signing",
            "digital signature",
            "content commitment",
            "key encipherment",
            "key agreement",
            "data encipherment",
            "cert sign",
            "crl sign",
            "encipher only",
            "decipher only",
            "any",
            "server auth",
            "client auth",
            "code signing",
            "email protection",
            "s/mime",
            "ipsec end system",
            "ipsec tunnel",
            "ipsec user",
            "timestamping",
            "ocsp signing",
            "microsoft sgc",
            "netscape sgc");

    /** The rules of the subresource by which requests are approved and denied. */
    private static final Strategy APPROVAL = KindStrategy.of(Trait.STATUS)
            .prepareStatus(SigningConditions::prepareApproval)
            .checkStatus(SigningConditions::checkApproval)
            .build();

    private CertificateSigningRequests() {}

    /** The subresource that alone approves and denies. */
    public static RestStorage approval(RegistryStore store) {
        return new StatusRest(store, "approval", APPROVAL);
    }

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(
                        "certificates.k8s.io", "v1", "CertificateSigningRequest", "certificatesigningrequests")
                .shortNames("csr")
                .selectableFields(SelectableFields.of(List.of("spec.signerName")))
                .strategy(KindStrategy.of(Trait.STATUS)
                        .check(CertificateSigningRequests::check)
                        .keepsSpec()
                        .prepareStatus(SigningConditions::prepareStatus)
                        .checkStatus(SigningConditions::checkStatus)
                        .build())
                .defaults(Defaults.of(request -> Trees.child(request, "spec")))
                .columns(
                        Column.AGE,
                        Column.of(
                                "SignerName",
                                "string",
                                "Who is to sign it.",
                                (request, now) -> Cells.orNone(Trees.text(request, "spec", "signerName"))),
                        Cells.text("Requestor", "Who asks for it.", "spec", "username"),
                        Column.of(
                                "RequestedDuration",
                                "string",
                                "How long the certificate is to be valid.",
                                (request, now) -> duration(request)),
                        Column.of(
                                "Condition", "string", "What has become of it.", (request, now) -> condition(request)))
                .build();
    }

    private static String duration(ObjectNode request) {
        JsonNode seconds = Trees.at(request, "spec", "expirationSeconds");
        return seconds.isNumber() ? Ages.human(Duration.ofSeconds(seconds.asLong())) : Cells.NONE;
    }

    private static String condition(ObjectNode request) {
        Set<String> types = Trees.objects(Trees.at(request, "status", "conditions")).stream()
                .map(condition -> Trees.text(condition, "type"))
                .collect(Collectors.toSet());
        String answer = types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending";
        return answer
                + (types.contains("Failed") ? ",Failed" : "")
                + (Trees.at(request, "status", "certificate").isMissingNode() ? "" : ",Issued");
    }

    private static void check(Faults faults, ObjectNode request) {
        JsonNode spec = request.path("spec");
        checkRequest(faults, spec.path("request"));
        if (faults.present("spec.signerName", spec.path("signerName"))) {
            String name = Trees.text(spec, "signerName");
            int slash = name.indexOf('/');
            if (name.equals(LEGACY_SIGNER)) {
                faults.invalid("spec.signerName", name, "the legacy signerName is not allowed via this API version");
            } else if (slash < 0) {
                faults.invalid(
                        "spec.signerName",
                        name,
                        "must be a fully qualified domain and path of the form \"example.com/signer-name\"");
            } else {
                faults.rule("spec.signerName", name.substring(0, slash), Names::subdomain);
            }
        }
        if (spec.path("usages").isEmpty()) {
            faults.required("spec.usages", "usages must be non-empty");
        }
        checkUsages(faults, Trees.texts(spec.path("usages")));
        JsonNode life = spec.path("expirationSeconds");
        if (life.isNumber() && life.asLong() < SHORTEST_LIFE) {
            faults.invalid(
                    "spec.expirationSeconds", life, "may not specify a duration less than 600 seconds (10 minutes)");
        }
    }

    private static void checkRequest(Faults faults, JsonNode request) {
        if (!request.isTextual()) {
            faults.required("spec.request", "");
            return;
        }
        String pem = new String(Base64.getMimeDecoder().decode(request.asText()), StandardCharsets.ISO_8859_1);
        if (!pem.contains(PEM_BEGIN + "CERTIFICATE REQUEST-----")) {
            faults.invalid("spec.request", request, "PEM block type must be CERTIFICATE REQUEST");
        }
    }

    private static void checkUsages(Faults faults, List<String> usages) {
        for (int i = 0; i < usages.size(); i++) {
            String field = "spec.usages[" + i + "]";
            if (!USAGES.contains(usages.get(i))) {
                faults.notSupported(field, usages.get(i), USAGES);
            } else if (usages.indexOf(usages.get(i)) < i) {
                faults.duplicate(field, usages.get(i));
            }
        }
    }
}
