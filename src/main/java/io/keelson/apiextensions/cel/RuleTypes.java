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
        var declared = new HashMap<String, StructuralSchema>();
        schema.declared().forEach(field -> declared.put(escaped(field.getKey()), field.getValue()));
        Map<String, CelType> fixed = !schema.isResource()
                ? Map.of()
                : Map.of(
                        "apiVersion",
                        SimpleType.STRING,
                        "kind",
                        SimpleType.STRING,
                        "metadata",
                        struct(Map.of("name", SimpleType.STRING, "generateName", SimpleType.STRING), Map.of()));
        return struct(fixed, declared);
    }

    /** The types of fields are made when a rule first names them: schemas are large, and rules look at little of them. */
    private CelType struct(Map<String, CelType> fixed, Map<String, StructuralSchema> declared) {
        String name = "keelson.Object" + structs.size();
        Map<String, CelType> types = new HashMap<>(fixed);
        CelType struct = StructType.create(
                name,
                ImmutableSet.<String>builder()
                        .addAll(fixed.keySet())
                        .addAll(declared.keySet())
                        .build(),
                field -> {
                    CelType known = types.get(field);
                    StructuralSchema schema = declared.get(field);
                    if (known == null && schema != null) {
                        known = of(schema);
                        types.put(field, known);
                    }
                    return Optional.ofNullable(known);
                });
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
