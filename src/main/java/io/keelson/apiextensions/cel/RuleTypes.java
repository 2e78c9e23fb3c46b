package io.keelson.apiextensions.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import io.keelson.apiextensions.structural.StructuralSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The types that rules see of values by their schemas. Made to compile the rules of one schema; not thread-safe. */
@SuppressWarnings("Immutable")
final class RuleTypes implements CelTypeProvider {
    /** Names that CEL keeps to itself, which fields are escaped from. */
    private static final Set<String> RESERVED = Set.of(
            "true",
            "false",
            "null",
            "in",
            "as",
            "break",
            "const",
            "continue",
            "else",
            "for",
            "function",
            "if",
            "import",
            "let",
            "loop",
            "package",
            "namespace",
            "return",
            "var",
            "void",
            "while");

    private final Map<String, CelType> structs = new HashMap<>();

    @Override
    public ImmutableCollection<CelType> types() {
        return ImmutableList.copyOf(structs.values());
    }

    @Override
    public Optional<CelType> findType(String name) {
        return Optional.ofNullable(structs.get(name));
    }

    CelType of(StructuralSchema schema) {
        if (schema.isIntOrString()) {
            return SimpleType.DYN;
        }
        return switch (schema.type()) {
            case STRING ->
                switch (schema.format()) {
                    case "byte" -> SimpleType.BYTES;
                    case "date", "date-time" -> SimpleType.TIMESTAMP;
                    case "duration" -> SimpleType.DURATION;
                    default -> SimpleType.STRING;
                };
            case INTEGER -> SimpleType.INT;
            case NUMBER -> SimpleType.DOUBLE;
            case BOOLEAN -> SimpleType.BOOL;
            case ARRAY ->
                schema.itemSchema() == null
                        ? ListType.create(SimpleType.DYN)
                        : ListType.create(of(schema.itemSchema()));
            case OBJECT -> object(schema);
            default -> SimpleType.DYN;
        };
    }

    private CelType object(StructuralSchema schema) {
        StructuralSchema values = schema.valueSchema();
        if (values != null && schema.declared().isEmpty()) {
            return MapType.create(SimpleType.STRING, of(values));
        }
        var fields = new HashMap<String, CelType>();
        for (var field : schema.declared()) {
            fields.put(escaped(field.getKey()), of(field.getValue()));
        }
        if (schema.isResource()) {
            fields.put("apiVersion", SimpleType.STRING);
            fields.put("kind", SimpleType.STRING);
            fields.put("metadata", struct(Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING)));
        }
        return struct(fields);
    }

    private CelType struct(Map<String, CelType> fields) {
        String name = "keelson.Object" + structs.size();
        CelType struct = StructType.create(
                name, ImmutableSet.copyOf(fields.keySet()), field -> Optional.ofNullable(fields.get(field)));
        structs.put(name, struct);
        return struct;
    }

    /** The name by which rules call a field. */
    static String escaped(String field) {
        if (RESERVED.contains(field)) {
            return "__" + field + "__";
        }
        return field.replace("__", "__underscores__")
                .replace(".", "__dot__")
                .replace("-", "__dash__")
                .replace("/", "__slash__");
    }
}
