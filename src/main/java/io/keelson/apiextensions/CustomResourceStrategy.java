package io.keelson.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.apiextensions.cel.RuleValidator;
import io.keelson.apiextensions.structural.EmbeddedResources;
import io.keelson.apiextensions.structural.ListTypes;
import io.keelson.apiextensions.structural.Path;
import io.keelson.apiextensions.structural.SchemaValidator;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.RequestContext;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How the objects of one version of a custom resource live: judged by the version's schema. Stateless. */
final class CustomResourceStrategy extends BasicStrategy {
    /** Faults after which rules could stumble over the object, so that they are not asked. */
    private static final Set<FieldError.Type> BLOCKING = EnumSet.of(
            FieldError.Type.NOT_SUPPORTED,
            FieldError.Type.REQUIRED,
            FieldError.Type.TOO_LONG,
            FieldError.Type.TOO_MANY,
            FieldError.Type.TYPE_INVALID);

    private final Supplier<StructuralSchema> schema;
    private final Supplier<RuleValidator> rules;
    private final @Nullable ScaleFields scale;

    /**
     * Where an object says how many replicas it has.
     *
     * @param spec such as {@code .spec.replicas}
     */
    record ScaleFields(String spec, String status) {}

    CustomResourceStrategy(
            Supplier<StructuralSchema> schema,
            Supplier<RuleValidator> rules,
            @Nullable ScaleFields scale,
            Trait... traits) {
        super(traits);
        this.schema = schema;
        this.rules = rules;
        this.scale = scale;
    }

    @Override
    public void prepareForCreate(RequestContext context, ObjectNode object) {
        super.prepareForCreate(context, object);
        if (hasStatus()) {
            object.remove("status");
        }
    }

    @Override
    public boolean allowUnconditionalUpdate() {
        return false;
    }

    @Override
    public List<FieldError> validate(RequestContext context, ObjectNode object) {
        return judge(object, null, true);
    }

    @Override
    public List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        return judge(object, old, true);
    }

    @Override
    public List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        return judge(object, old, false);
    }

    private List<FieldError> judge(ObjectNode object, @Nullable ObjectNode old, boolean spec) {
        StructuralSchema by = schema.get();
        List<FieldError> errors = new ArrayList<>(SchemaValidator.validate(by, object, old, Path.ROOT));
        if (scale != null) {
            if (spec) {
                replicas(object, scale.spec(), errors);
            }
            replicas(object, scale.status(), errors);
        }
        // What was wrong before an update may stay so.
        if (old == null || EmbeddedResources.validate(by, old).isEmpty()) {
            errors.addAll(EmbeddedResources.validate(by, object));
        }
        if (old == null || ListTypes.duplicates(by, old).isEmpty()) {
            errors.addAll(ListTypes.duplicates(by, object));
        }
        if (!by.hasRules()) {
            return errors;
        }
        if (errors.stream().anyMatch(error -> BLOCKING.contains(error.type()))) {
            errors.add(FieldError.invalid(
                    Path.ROOT.toString(),
                    NullNode.getInstance(),
                    "some validation rules were not checked because the object was invalid; correct the existing errors"
                            + " to complete validation"));
        } else {
            errors.addAll(rules.get().validate(object, old));
        }
        return errors;
    }

    private static void replicas(ObjectNode object, String path, List<FieldError> errors) {
        JsonNode value = JsonPath.simple(object, path);
        if (value.isMissingNode()) {
            return;
        }
        if (!value.isIntegralNumber()) {
            errors.add(FieldError.invalid(
                    path,
                    0,
                    path + " accessor error: " + value.asText() + " is of the type " + goType(value)
                            + ", expected int64"));
        } else if (value.asLong() < 0) {
            errors.add(FieldError.invalid(path, value, "should be a non-negative integer"));
        } else if (value.asLong() > Integer.MAX_VALUE) {
            errors.add(FieldError.invalid(path, value, "should be less than or equal to " + Integer.MAX_VALUE));
        }
    }

    private static String goType(JsonNode value) {
        return switch (value.getNodeType()) {
            case STRING -> "string";
            case NUMBER -> "float64";
            case BOOLEAN -> "bool";
            case ARRAY -> "[]interface {}";
            case OBJECT -> "map[string]interface {}";
            default -> "<nil>";
        };
    }
}
