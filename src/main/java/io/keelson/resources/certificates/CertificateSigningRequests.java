package io.keelson.resources.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.registry.Ages;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Certificate signing requests: stored and approved here, signed by others. */
public final class CertificateSigningRequests {
    /** The shortest life of a certificate that may be asked for, in seconds. */
    private static final int SHORTEST_LIFE = 600;

    private CertificateSigningRequests() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of(
                        "certificates.k8s.io", "v1", "CertificateSigningRequest", "certificatesigningrequests")
                .shortNames("csr")
                .selectableFields(SelectableFields.of(List.of("spec.signerName")))
                .strategy(KindStrategy.of(Trait.STATUS)
                        .check(CertificateSigningRequests::check)
                        .immutableSpec()
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
        faults.present("spec.request", spec.path("request"));
        if (faults.present("spec.signerName", spec.path("signerName"))) {
            String name = Trees.text(spec, "signerName");
            int slash = name.indexOf('/');
            if (slash < 0) {
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
        JsonNode life = spec.path("expirationSeconds");
        if (life.isNumber() && life.asLong() < SHORTEST_LIFE) {
            faults.invalid(
                    "spec.expirationSeconds", life, "may not specify a duration less than 600 seconds (10 minutes)");
        }
    }
}
