package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a field may hold and how it merges: the part of an OpenAPI schema, with Kubernetes' extensions, that patches, apply,
 * validation and pruning go by. A schema may refer to itself through its properties, so walk it along an object and not by
 * itself. Immutable and thread-safe.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/#merge-strategy">Merge strategy</a>
 */
public class Schema {
    /** The kind of value. */
    public enum Type {
        OBJECT,
        ARRAY,
        STRING,
        INTEGER,
        NUMBER,
        BOOLEAN,
        /** An integer or a string, as in {@code targetPort}. */
        INT_OR_STRING,
        /** A string or a number: a quantity. */
        QUANTITY,
        /** Whatever JSON can say. */
        ANY
    }

    /** How two appliers share a list. */
    public enum ListType {
        /** One applier owns all of it. */
        ATOMIC,
        /** Of scalars, each of which has its own owners. */
        SET,
        /** Of objects that are told apart by their keys. */
        MAP
    }

    /** How a strategic merge patch treats a field; several may be given. */
    public enum PatchStrategy {
        /** Lists are merged, by key where they have one. */
        MERGE,
        /** The field is replaced as a whole. */
        REPLACE,
        /** Fields that the patch does not retain are dropped. */
        RETAIN_KEYS
    }

    private final @Nullable Schema base;
    private final Shape shape;
    private final Traits traits;

    Schema(Shape shape, Traits traits) {
        this(null, shape, traits);
    }

    private Schema(@Nullable Schema base, Shape shape, Traits traits) {
        this.base = base;
        this.shape = shape;
        this.traits = traits;
    }

    /**
     * A schema that says more of a value than patches ask for; {@code node} is its text in the words of OpenAPI 3.
     *
     * @param properties the schemas of an object's fields
     * @param items the schema of a list's items
     * @param additionalProperties the schema of a map's values
     */
    protected Schema(
            JsonNode node,
            Map<String, Schema> properties,
            @Nullable Schema items,
            @Nullable Schema additionalProperties) {
        this(
                null,
                SchemaCompiler.shape("", node, properties, items, additionalProperties),
                SchemaCompiler.traits(node));
    }

    /** The same values as another schema, with some traits of its own. */
    static Schema refined(Schema base, Traits traits) {
        return new Schema(base, Shape.ANY, traits);
    }

    /** What a value is made of. The maps are filled before the schema is handed out, and never changed after that. */
    record Shape(
            String name,
            Type type,
            String format,
            Map<String, Schema> properties,
            @Nullable Schema items,
            @Nullable Schema additionalProperties,
            List<String> required,
            List<JsonNode> allowed) {
        static final Shape ANY = new Shape("", Type.ANY, "", Map.of(), null, null, List.of(), List.of());
    }

    /** What a field, rather than its type, says of a value; what is null or empty is left to the type. */
    record Traits(
            @Nullable JsonNode defaultValue,
            @Nullable ListType listType,
            List<String> listMapKeys,
            boolean atomicMap,
            Set<PatchStrategy> patchStrategies,
            String patchMergeKey) {
        boolean isEmpty() {
            return defaultValue == null
                    && listType == null
                    && !atomicMap
                    && patchStrategies.isEmpty()
                    && patchMergeKey.isEmpty();
        }
    }

    private Shape shape() {
        return base == null ? shape : base.shape();
    }

    /** The name of the type, such as {@code io.k8s.api.core.v1.PodSpec}; empty for one that is written where it is used. */
    public String name() {
        return shape().name();
    }

    public Type type() {
        return shape().type();
    }

    /** The OpenAPI format, such as {@code int32} or {@code date-time}; empty where there is none. */
    public String format() {
        return shape().format();
    }

    /** The fields of an object by name, in no order; empty for a map and for what is not an object. */
    public Map<String, Schema> properties() {
        return shape().properties();
    }

    /** The schema of a field: a property, else that of a map's values; null where nothing is known of it. */
    public @Nullable Schema field(String name) {
        Schema property = properties().get(name);
        return property != null ? property : additionalProperties();
    }

    /** The schema of a list's items; null for what is not a list. */
    public @Nullable Schema items() {
        return shape().items();
    }

    /** The schema of a map's values; null for what is not a map. */
    public @Nullable Schema additionalProperties() {
        return shape().additionalProperties();
    }

    /** The fields that must be there. */
    public List<String> required() {
        return shape().required();
    }

    /** The values of an enumeration; empty where any value goes. */
    public List<JsonNode> allowed() {
        return shape().allowed();
    }

    /** Whether it holds fields that nobody has declared: embedded objects, extensions, any JSON. */
    public boolean preservesUnknownFields() {
        return type() == Type.ANY
                || (type() == Type.OBJECT && properties().isEmpty() && additionalProperties() == null);
    }

    /** What a field holds where nothing is written; null where there is no such value. Not to be changed. */
    public @Nullable JsonNode defaultValue() {
        return traits.defaultValue() != null || base == null ? traits.defaultValue() : base.defaultValue();
    }

    /** How appliers share a list; lists that do not say are atomic. */
    public ListType listType() {
        if (traits.listType() != null) {
            return traits.listType();
        }
        return base == null ? ListType.ATOMIC : base.listType();
    }

    /** The fields that tell the items of a {@link ListType#MAP} list apart. */
    public List<String> listMapKeys() {
        return !traits.listMapKeys().isEmpty() || base == null ? traits.listMapKeys() : base.listMapKeys();
    }

    /** Whether an object or map has one owner as a whole. */
    public boolean atomicMap() {
        return traits.atomicMap() || (base != null && base.atomicMap());
    }

    public Set<PatchStrategy> patchStrategies() {
        return !traits.patchStrategies().isEmpty() || base == null ? traits.patchStrategies() : base.patchStrategies();
    }

    /** The field by which a strategic merge patch finds the item of a list that it changes; empty where there is none. */
    public String patchMergeKey() {
        return !traits.patchMergeKey().isEmpty() || base == null ? traits.patchMergeKey() : base.patchMergeKey();
    }

    @Override
    public String toString() {
        return type() + (format().isEmpty() ? "" : "(" + format() + ")");
    }
}
