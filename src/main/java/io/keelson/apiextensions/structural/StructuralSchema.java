package io.keelson.apiextensions.structural;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.Json;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Schema;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The schema of a custom resource or of a value in one: all that a structural schema says, compiled once and kept instead of
 * its text. It is a tree without circles, as deep as the text is. Immutable and thread-safe.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/">Structural
 *     schemas</a>
 */
public final class StructuralSchema extends Schema {
    /** The fields that every resource has, whether or not its schema names them. */
    static final Set<String> RESOURCE_FIELDS = Set.of("apiVersion", "kind", "metadata");

    /** What a schema says with one word. */
    enum Flag {
        NULLABLE,
        PRESERVE_UNKNOWN,
        EMBEDDED,
        INT_OR_STRING,
        /** Has an {@code x-kubernetes-validations} of its own or below. */
        HAS_RULES,
        /** Has a default of its own or below. */
        HAS_DEFAULTS,
        /** The schema of a whole object. */
        ROOT
    }

    private static final StructuralSchema RESOURCE_STRING =
            compile(Json.object().put("type", "string"), false);

    /** What {@code additionalProperties: true} allows: any value, whose own fields nobody has declared. */
    private static final StructuralSchema ANYTHING_PRUNED = compile(Json.object(), false);

    private final Set<Flag> flags;
    /** How many of an object's own fields have a default. */
    private final int defaultedFields;

    private final @Nullable Limits limits;
    private final @Nullable Junctors junctors;
    private final List<ValidationRule> rules;

    /** What the schema of a resource says of the metadata, which has a schema of its own. */
    private final @Nullable StructuralSchema declaredMetadata;

    private StructuralSchema(JsonNode node, Children children, Set<Flag> flags) {
        super(node, children.properties, children.items, children.additionalProperties);
        this.flags = flags;
        this.defaultedFields = (int) children.properties.values().stream()
                .filter(child -> child instanceof StructuralSchema && child.defaultValue() != null)
                .count();
        this.limits = Limits.of(node);
        this.junctors = Junctors.of(node);
        this.rules = ValidationRule.listOf(node);
        this.declaredMetadata = children.metadata;
    }

    /** What is made before a schema is. */
    private static final class Children {
        private final Map<String, Schema> all = new HashMap<>();
        private Map<String, Schema> properties = Map.of();
        private @Nullable StructuralSchema items;
        private @Nullable StructuralSchema additionalProperties;
        private @Nullable StructuralSchema metadata;

        boolean any(Flag flag) {
            return all.values().stream().anyMatch(child -> has(child, flag))
                    || has(items, flag)
                    || has(additionalProperties, flag)
                    || has(metadata, flag);
        }

        private static boolean has(@Nullable Schema schema, Flag flag) {
            return schema instanceof StructuralSchema structural && structural.flags.contains(flag);
        }
    }

    /** Compiles the schema of a custom resource; {@code text} is its {@code openAPIV3Schema}, and is believed to be structural. */
    public static StructuralSchema ofResource(JsonNode text) {
        return compile(text, true);
    }

    /** Compiles the schema of a value; what it leaves open is allowed. */
    static StructuralSchema ofValue(JsonNode text) {
        return compile(text, false);
    }

    private static StructuralSchema compile(JsonNode node, boolean root) {
        Set<Flag> flags = EnumSet.noneOf(Flag.class);
        flag(flags, Flag.ROOT, root);
        flag(flags, Flag.NULLABLE, node.path("nullable").asBoolean());
        flag(
                flags,
                Flag.PRESERVE_UNKNOWN,
                node.path("x-kubernetes-preserve-unknown-fields").asBoolean());
        flag(flags, Flag.EMBEDDED, node.path("x-kubernetes-embedded-resource").asBoolean());
        flag(flags, Flag.INT_OR_STRING, node.path("x-kubernetes-int-or-string").asBoolean());
        boolean resource = root || flags.contains(Flag.EMBEDDED);
        Children children = children(node, resource);
        flag(flags, Flag.HAS_RULES, !node.path("x-kubernetes-validations").isEmpty() || children.any(Flag.HAS_RULES));
        flag(flags, Flag.HAS_DEFAULTS, node.has("default") || children.any(Flag.HAS_DEFAULTS));
        return new StructuralSchema(node, children, flags);
    }

    private static Children children(JsonNode node, boolean resource) {
        var children = new Children();
        for (var property : node.path("properties").properties()) {
            StructuralSchema child = compile(property.getValue(), false);
            if (resource && property.getKey().equals("metadata")) {
                children.metadata = child;
            } else {
                children.all.put(property.getKey().intern(), child);
            }
        }
        if (resource) {
            children.all.put("metadata", BuiltinSchemas.objectMeta());
            for (String field : List.of("apiVersion", "kind")) {
                children.all.putIfAbsent(field, RESOURCE_STRING);
            }
        }
        children.properties = Map.copyOf(children.all);
        JsonNode items = node.get("items");
        children.items = items == null || !items.isObject() ? null : compile(items, false);
        JsonNode additional = node.get("additionalProperties");
        if (additional != null && additional.isObject()) {
            children.additionalProperties = compile(additional, false);
        } else if (additional != null && additional.asBoolean()) {
            children.additionalProperties = ANYTHING_PRUNED;
        }
        return children;
    }

    private static void flag(Set<Flag> flags, Flag flag, boolean set) {
        if (set) {
            flags.add(flag);
        }
    }

    /** The schema of a field by what the schema itself says, also of a resource's metadata; null where it says nothing. */
    public @Nullable StructuralSchema declared(String field) {
        if (isResource() && field.equals("metadata")) {
            return declaredMetadata;
        }
        return properties().get(field) instanceof StructuralSchema structural ? structural : null;
    }

    /** The names and schemas of the fields that the schema itself declares. */
    public List<Map.Entry<String, StructuralSchema>> declared() {
        var declared = new ArrayList<Map.Entry<String, StructuralSchema>>();
        properties().forEach((name, schema) -> {
            if (schema instanceof StructuralSchema structural) {
                declared.add(Map.entry(name, structural));
            }
        });
        return declared;
    }

    /** The schema of a list's items as a structural one. */
    public @Nullable StructuralSchema itemSchema() {
        return (StructuralSchema) items();
    }

    /** The schema of a map's values as a structural one. */
    public @Nullable StructuralSchema valueSchema() {
        return (StructuralSchema) additionalProperties();
    }

    /** The schema of a field's value: a property's, else that of a map's values; null where nothing is said. */
    public @Nullable StructuralSchema child(String field) {
        StructuralSchema declared = declared(field);
        return declared != null ? declared : valueSchema();
    }

    /** What tells an item of a list of this schema apart from others; null where nothing does. */
    public @Nullable JsonNode itemKey(JsonNode item) {
        return ListTypes.key(this, item);
    }

    /** The items of a list of this schema by their keys; empty where nothing tells them apart. */
    public Map<JsonNode, JsonNode> itemsByKey(JsonNode list) {
        return ListTypes.byKey(this, list);
    }

    @Override
    public Type type() {
        if (isIntOrString()) {
            return Type.INT_OR_STRING;
        }
        Type type = super.type();
        return type == Type.QUANTITY ? Type.ANY : type;
    }

    @Override
    public boolean preservesUnknownFields() {
        return flags.contains(Flag.PRESERVE_UNKNOWN);
    }

    public boolean isNullable() {
        return flags.contains(Flag.NULLABLE);
    }

    public boolean isIntOrString() {
        return flags.contains(Flag.INT_OR_STRING);
    }

    /** Whether values are whole resources inside another one. */
    public boolean isEmbedded() {
        return flags.contains(Flag.EMBEDDED);
    }

    /** Whether values are resources, with apiVersion, kind and metadata. */
    public boolean isResource() {
        return flags.contains(Flag.ROOT) || flags.contains(Flag.EMBEDDED);
    }

    /** Whether it or a schema below has rules. */
    public boolean hasRules() {
        return flags.contains(Flag.HAS_RULES);
    }

    int defaultedFields() {
        return defaultedFields;
    }

    boolean hasDefaults() {
        return flags.contains(Flag.HAS_DEFAULTS);
    }

    /** The {@code x-kubernetes-validations} of this very schema. */
    public List<ValidationRule> rules() {
        return rules;
    }

    @Nullable
    Limits limits() {
        return limits;
    }

    @Nullable
    Junctors junctors() {
        return junctors;
    }
}
