package io.keelson.apiextensions.definition;

import static io.keelson.apiextensions.definition.SchemaRules.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.api.Json;
import io.keelson.api.Names;
import io.keelson.apiextensions.structural.Path;
import io.keelson.resources.fields.Faults;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The rules of a CustomResourceDefinition. Kube-apiserver judges an older form of it, in which what all versions have in common
 * stands once at the top, and its errors tell of places in that form; so do these.
 */
final class CrdRules {
    private static final Path SPEC = Path.of("spec");
    private static final String APPROVED = "api-approved.kubernetes.io";
    private static final List<String> SCOPES = List.of("Cluster", "Namespaced");

    private final ObjectNode crd;
    private final JsonNode spec;
    private final Faults faults = new Faults();
    private final VersionRules versionRules = new VersionRules(faults);

    private CrdRules(ObjectNode crd) {
        this.crd = crd;
        this.spec = crd.path("spec");
    }

    static List<FieldError> validate(ObjectNode crd) {
        var rules = new CrdRules(crd);
        rules.name();
        rules.group();
        rules.faults.oneOf("spec.scope", rules.spec.path("scope"), SCOPES);
        rules.versions();
        rules.names();
        ConversionRules.judge(rules.faults, rules.spec.path("conversion"));
        rules.preserved();
        rules.faults.list().addAll(storedVersions(crd));
        rules.approval();
        return rules.faults.list();
    }

    static List<FieldError> validateUpdate(ObjectNode crd, ObjectNode old) {
        var rules = new CrdRules(crd);
        JsonNode before = old.path("spec");
        if (Conditions.isTrue(old, Conditions.ESTABLISHED)) {
            rules.immutable(before, "scope");
            rules.immutable(before, "names", "kind");
        }
        rules.immutable(before, "group");
        rules.immutable(before, "names", "plural");
        return rules.faults.list();
    }

    private void immutable(JsonNode before, String... names) {
        JsonNode now = spec;
        JsonNode was = before;
        for (String name : names) {
            now = now.path(name);
            was = was.path(name);
        }
        faults.immutable("spec." + String.join(".", names), now, was);
    }

    private void name() {
        String name = crd.path("metadata").path("name").asText();
        String wanted = text(spec.path("names"), "plural") + "." + text(spec, "group");
        if (!name.isEmpty() && !name.equals(wanted)) {
            faults.invalid("metadata.name", name, "must be spec.names.plural+\".\"+spec.group");
        }
    }

    private void group() {
        String group = text(spec, "group");
        if (!faults.present("spec.group", spec.path("group"))) {
            return;
        }
        List<String> wrong = Names.subdomain(group);
        if (!wrong.isEmpty()) {
            faults.invalid("spec.group", group, String.join(",", wrong));
        } else if (group.indexOf('.') < 0) {
            faults.invalid("spec.group", group, "should be a domain with at least one dot");
        }
    }

    // ---- versions

    private void versions() {
        JsonNode versions = spec.path("versions");
        boolean[] shared = {
            isShared(versions, "schema"),
            isShared(versions, "subresources"),
            isShared(versions, "additionalPrinterColumns"),
            isShared(versions, "selectableFields")
        };
        boolean anyStatus = false;
        for (JsonNode version : versions) {
            anyStatus |= version.path("subresources").hasNonNull("status");
        }
        Set<String> names = new HashSet<>();
        boolean unique = true;
        int stored = 0;
        for (int i = 0; i < versions.size(); i++) {
            JsonNode version = versions.path(i);
            Path path = SPEC.child("versions").index(i);
            stored += version.path("storage").asBoolean() ? 1 : 0;
            unique &= names.add(text(version, "name"));
            if (!version.path("schema").path("openAPIV3Schema").isObject()) {
                faults.required(path.child("schema").child("openAPIV3Schema").toString(), "");
            }
            version(version, path, shared);
        }
        JsonNode first = versions.path(0);
        if (shared[0]) {
            versionRules.schema(first, SPEC.child("validation"), anyStatus);
        }
        if (shared[1]) {
            versionRules.subresources(first, SPEC.child("subresources"));
        }
        if (shared[2]) {
            versionRules.columns(first, SPEC.child("additionalPrinterColumns"));
        }
        if (shared[3]) {
            versionRules.selectableFields(first, SPEC.child("selectableFields"));
        }
        if (!unique) {
            faults.invalid("spec.versions", shown(versions, shared), "must contain unique version names");
        }
        if (stored != 1) {
            faults.invalid(
                    "spec.versions",
                    shown(versions, shared),
                    "must have exactly one version marked as storage version");
        }
    }

    private void version(JsonNode version, Path path, boolean[] shared) {
        List<String> wrong = Names.label1035(text(version, "name"));
        if (!wrong.isEmpty()) {
            faults.invalid(path.child("name").toString(), text(version, "name"), String.join(",", wrong));
        }
        versionRules.deprecation(version, path);
        if (!shared[0]) {
            versionRules.schema(
                    version, path.child("schema"), version.path("subresources").hasNonNull("status"));
        }
        if (!shared[1]) {
            versionRules.subresources(version, path.child("subresources"));
        }
        if (!shared[2]) {
            versionRules.columns(version, path.child("additionalPrinterColumns"));
        }
        if (!shared[3]) {
            versionRules.selectableFields(version, path.child("selectableFields"));
        }
    }

    private static boolean isShared(JsonNode versions, String field) {
        JsonNode first = versions.path(0).path(field);
        for (JsonNode version : versions) {
            if (!version.path(field).equals(first)) {
                return false;
            }
        }
        return true;
    }

    /** The versions as kube-apiserver shows them in errors: in the older form, by the names of its source. */
    private static ArrayNode shown(JsonNode versions, boolean[] shared) {
        ArrayNode all = Json.object().arrayNode();
        for (JsonNode version : versions) {
            ObjectNode shown = all.addObject();
            shown.put("Name", text(version, "name"))
                    .put("Served", version.path("served").asBoolean())
                    .put("Storage", version.path("storage").asBoolean())
                    .put("Deprecated", version.path("deprecated").asBoolean());
            shown.set("DeprecationWarning", orNull(version.path("deprecationWarning"), false));
            shown.set("Schema", orNull(version.path("schema"), shared[0]));
            shown.set("Subresources", orNull(version.path("subresources"), shared[1]));
            shown.set("AdditionalPrinterColumns", orNull(version.path("additionalPrinterColumns"), shared[2]));
            shown.set("SelectableFields", orNull(version.path("selectableFields"), shared[3]));
        }
        return all;
    }

    private static JsonNode orNull(JsonNode value, boolean shared) {
        return shared || value.isMissingNode() ? NullNode.getInstance() : value;
    }

    // ---- names

    private void names() {
        JsonNode names = spec.path("names");
        for (String name : List.of("plural", "singular", "kind", "listKind")) {
            faults.present("spec.names." + name, names.path(name));
        }
        faults.list().addAll(names(names, "spec.names"));
    }

    /** The rules of names that are given, whether asked for or accepted. */
    static List<FieldError> names(JsonNode names, String path) {
        var faults = new Faults();
        for (String name : List.of("plural", "singular")) {
            label(faults, path + "." + name, text(names, name), text(names, name), "");
        }
        for (String name : List.of("kind", "listKind")) {
            String kind = text(names, name);
            label(
                    faults,
                    path + "." + name,
                    kind,
                    kind.toLowerCase(Locale.ROOT),
                    "may have mixed case, but should otherwise match: ");
        }
        for (String list : List.of("shortNames", "categories")) {
            for (int i = 0; i < names.path(list).size(); i++) {
                String text = names.path(list).path(i).asText();
                List<String> wrong = Names.label1035(text);
                if (!wrong.isEmpty()) {
                    faults.invalid(path + "." + list + "[" + i + "]", text, String.join(",", wrong));
                }
            }
        }
        String kind = text(names, "kind");
        if (!kind.isEmpty() && kind.equals(text(names, "listKind"))) {
            faults.invalid(path + ".listKind", kind, "kind and listKind may not be the same");
        }
        return faults.list();
    }

    private static void label(Faults faults, String field, String given, String judged, String words) {
        List<String> wrong = given.isEmpty() ? List.of() : Names.label1035(judged);
        if (!wrong.isEmpty()) {
            faults.invalid(field, given, words + String.join(",", wrong));
        }
    }

    // ---- the rest

    private void preserved() {
        if (spec.path("preserveUnknownFields").asBoolean()) {
            faults.invalid(
                    "spec.preserveUnknownFields",
                    true,
                    "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema"
                            + " instead");
        }
    }

    static List<FieldError> storedVersions(ObjectNode crd) {
        var faults = new Faults();
        String path = "status.storedVersions";
        JsonNode stored = crd.path("status").path("storedVersions");
        if (stored.isEmpty()) {
            faults.invalid(path, NullNode.getInstance(), "must have at least one stored version");
            return faults.list();
        }
        Set<String> names = new HashSet<>();
        stored.forEach(name -> names.add(name.asText()));
        Set<String> there = new HashSet<>();
        for (JsonNode version : crd.path("spec").path("versions")) {
            String name = text(version, "name");
            there.add(name);
            if (version.path("storage").asBoolean() && !names.contains(name)) {
                faults.invalid(path, stored, "must have the storage version " + name);
            }
        }
        for (int i = 0; i < stored.size(); i++) {
            String name = stored.path(i).asText();
            if (!there.contains(name)) {
                faults.invalid(
                        path + "[" + i + "]",
                        name,
                        "missing from spec.versions; " + name
                                + " was previously a storage version, and must remain in spec.versions until a storage"
                                + " migration ensures no data remains persisted in " + name + " and removes " + name
                                + " from status.storedVersions");
            }
        }
        return faults.list();
    }

    /** Whether a group is one that Kubernetes keeps to itself. */
    static boolean isProtected(String group) {
        return group.equals("k8s.io")
                || group.endsWith(".k8s.io")
                || group.equals("kubernetes.io")
                || group.endsWith(".kubernetes.io");
    }

    private void approval() {
        if (!isProtected(text(spec, "group"))) {
            return;
        }
        String path = "metadata.annotations[" + APPROVED + "]";
        String given = crd.path("metadata").path("annotations").path(APPROVED).asText();
        if (given.isEmpty()) {
            faults.required(
                    path,
                    "protected groups must have approval annotation \"" + APPROVED
                            + "\", see https://github.com/kubernetes/enhancements/pull/1111");
        } else if (!given.startsWith("unapproved") && !given.startsWith("https://")) {
            faults.invalid(
                    path,
                    given,
                    "protected groups must have approval annotation \"" + APPROVED
                            + "\" with either a URL or a reason starting with \"unapproved\", see"
                            + " https://github.com/kubernetes/enhancements/pull/1111");
        }
    }
}
