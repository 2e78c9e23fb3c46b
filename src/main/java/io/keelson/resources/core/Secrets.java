package io.keelson.resources.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.BadJsonException;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** Secrets: small files that are nobody's business. */
public final class Secrets {
    private static final String ACCOUNT = "kubernetes.io/service-account.name";

    private Secrets() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "Secret", "secrets")
                .strategy(new SecretStrategy())
                .defaults(Defaults.of(Secrets::fill))
                .selectableFields(SelectableFields.of(List.of("type")))
                .columns(
                        Cells.text("Type", "What the entries are for.", "type"),
                        Column.of(
                                "Data",
                                "string",
                                "How many entries there are.",
                                (secret, now) -> secret.path("data").size()),
                        Column.AGE)
                .build();
    }

    private static void fill(ObjectNode secret) {
        Trees.fill(secret, "type", "Opaque");
        JsonNode texts = secret.path("stringData");
        if (!texts.isEmpty()) {
            ObjectNode data = Trees.child(secret, "data");
            for (var entry : texts.properties()) {
                byte[] bytes = entry.getValue().asText().getBytes(StandardCharsets.UTF_8);
                data.put(entry.getKey(), Base64.getEncoder().encodeToString(bytes));
            }
        }
        secret.remove("stringData");
    }

    private static final class SecretStrategy extends BasicStrategy {
        SecretStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode secret) {
            var faults = new Faults();
            check(faults, secret);
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode secret, ObjectNode old) {
            var faults = new Faults();
            faults.immutable("type", secret.path("type"), old.path("type"));
            faults.keepsImmutable(secret, old, "data");
            if (faults.none()) {
                check(faults, secret);
            }
            return faults.list();
        }

        private static void check(Faults faults, ObjectNode secret) {
            JsonNode data = secret.path("data");
            FileData.checkKeys(faults, "data", data);
            if (FileData.decodedSize(data) > FileData.MAX_BYTES) {
                faults.tooLong("data", FileData.MAX_BYTES);
            }
            switch (Trees.text(secret, "type")) {
                case "kubernetes.io/service-account-token" -> {
                    String name = Trees.text(secret, "metadata", "annotations", ACCOUNT);
                    if (name.isEmpty()) {
                        faults.required("metadata.annotations[" + ACCOUNT + "]", "");
                    }
                }
                case "kubernetes.io/dockercfg" -> checkJson(faults, data, ".dockercfg");
                case "kubernetes.io/dockerconfigjson" -> checkJson(faults, data, ".dockerconfigjson");
                case "kubernetes.io/tls" -> checkKeys(faults, data, "tls.crt", "tls.key");
                case "kubernetes.io/ssh-auth" -> checkKeys(faults, data, "ssh-privatekey");
                case "kubernetes.io/basic-auth" -> {
                    if (!data.has("username") && !data.has("password")) {
                        checkKeys(faults, data, "username", "password");
                    }
                }
                default -> {}
            }
        }

        private static void checkKeys(Faults faults, JsonNode data, String... keys) {
            for (String key : keys) {
                if (!data.has(key)) {
                    faults.required("data[" + key + "]", "");
                }
            }
        }

        private static void checkJson(Faults faults, JsonNode data, String key) {
            checkKeys(faults, data, key);
            try {
                if (data.has(key)) {
                    Json.parse(Base64.getDecoder().decode(data.path(key).asText()));
                }
            } catch (BadJsonException | IllegalArgumentException e) {
                faults.invalid("data[" + key + "]", "<secret contents redacted>", "must be valid JSON");
            }
        }
    }
}
