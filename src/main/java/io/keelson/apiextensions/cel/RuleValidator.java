package io.keelson.apiextensions.cel;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cel.common.exceptions.CelRuntimeException;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.keelson.api.FieldError;
import io.keelson.apiextensions.cel.Rules.BadRuleException;
import io.keelson.apiextensions.cel.Rules.Compiled;
import io.keelson.apiextensions.structural.Path;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.apiextensions.structural.ValidationRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Judges objects by the rules in their schema. A rule is compiled when it is first asked and kept as long as this is; what one
 * judgement may cost is bounded. Thread-safe.
 */
public final class RuleValidator {
    /** How many steps all rules about one object may take. */
    private static final int MAX_STEPS = 10_000_000;

    /** The longest message that an expression may make, in characters. */
    private static final int MAX_MESSAGE = 5_120;

    private final StructuralSchema root;
    private final Map<Place, List<Compiled>> compiled = new ConcurrentHashMap<>();

    /** A schema by identity: two that say the same have programs of their own. */
    private record Place(StructuralSchema schema) {
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Place(StructuralSchema same)
                    && System.identityHashCode(same) == hashCode()
                    && isSame(same);
        }

        @SuppressWarnings("ReferenceEquality")
        private boolean isSame(StructuralSchema other) {
            return schema == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(schema);
        }
    }

    public RuleValidator(StructuralSchema root) {
        this.root = root;
    }

    /** @param old what the object was; null where it is new */
    public List<FieldError> validate(JsonNode object, @Nullable JsonNode old) {
        var judgement = new Judgement();
        judgement.value(root, object, old, Path.ROOT);
        return judgement.errors;
    }

    private List<Compiled> compiled(StructuralSchema schema) {
        return compiled.computeIfAbsent(new Place(schema), place -> {
            var programs = new ArrayList<Compiled>();
            for (ValidationRule rule : schema.rules()) {
                try {
                    programs.add(Rules.compile(schema, rule));
                } catch (BadRuleException e) {
                    // Rules are compiled before their definition is taken; an older server may have known fewer
                    // functions.
                    throw new IllegalStateException("rule \"" + rule.rule() + "\": " + e.getMessage(), e);
                }
            }
            return List.copyOf(programs);
        });
    }

    /** Stops a judgement that has become too dear. */
    private static final class TooDear extends RuntimeException {
        private static final long serialVersionUID = 1;

        TooDear() {
            super("validation failed due to running out of cost budget, no further validation rules will be run");
        }
    }

    private final class Judgement {
        private final List<FieldError> errors = new ArrayList<>();
        private int steps;

        void value(StructuralSchema schema, JsonNode value, @Nullable JsonNode old, Path path) {
            if (!schema.hasRules() || value.isNull() || steps > MAX_STEPS) {
                return;
            }
            if (!schema.rules().isEmpty()) {
                rules(schema, value, old, path);
            }
            if (value.isObject()) {
                for (var field : value.properties()) {
                    StructuralSchema child = schema.child(field.getKey());
                    if (child != null) {
                        JsonNode was = old == null ? null : old.get(field.getKey());
                        value(child, field.getValue(), was, path.child(field.getKey()));
                    }
                }
            } else if (value.isArray() && schema.itemSchema() != null) {
                Map<JsonNode, JsonNode> before = old == null ? Map.of() : schema.itemsByKey(old);
                for (int i = 0; i < value.size(); i++) {
                    JsonNode item = value.path(i);
                    JsonNode key = before.isEmpty() ? null : schema.itemKey(item);
                    value(schema.itemSchema(), item, key == null ? null : before.get(key), path.index(i));
                }
            }
        }

        private void rules(StructuralSchema schema, JsonNode value, @Nullable JsonNode old, Path path) {
            boolean unchanged = value.equals(old);
            var variables = new HashMap<String, Object>();
            variables.put("self", RuleValues.of(schema, value));
            for (Compiled rule : compiled(schema)) {
                boolean compares = rule.transition() || rule.rule().optionalOldSelf();
                if ((rule.transition() && old == null) || (unchanged && !compares)) {
                    continue;
                }
                if (rule.rule().optionalOldSelf()) {
                    variables.put("oldSelf", old == null ? Optional.empty() : Optional.of(RuleValues.of(schema, old)));
                } else if (old != null) {
                    variables.put("oldSelf", RuleValues.of(schema, old));
                }
                if (!judge(rule, variables, path)) {
                    return;
                }
            }
        }

        /** Returns whether other rules may be asked. */
        private boolean judge(Compiled rule, Map<String, Object> variables, Path path) {
            try {
                if (!Boolean.TRUE.equals(run(rule.program(), variables))) {
                    errors.add(broken(rule.rule(), path, message(rule, variables)));
                }
            } catch (CelEvaluationException | CelRuntimeException e) {
                if (steps > MAX_STEPS) {
                    return tooDear(path);
                }
                errors.add(broken(
                        rule.rule(), path, words(e.getMessage()) + " evaluating rule: " + givenMessage(rule.rule())));
            } catch (TooDear e) {
                return tooDear(path);
            }
            return true;
        }

        private boolean tooDear(Path path) {
            errors.add(new FieldError(
                    FieldError.Type.FORBIDDEN, path.toString(), "Forbidden: " + new TooDear().getMessage()));
            return false;
        }

        private Object run(CelRuntime.Program program, Map<String, Object> variables) throws CelEvaluationException {
            return program.trace(variables, (expression, result) -> {
                if (++steps > MAX_STEPS) {
                    throw new TooDear();
                }
            });
        }

        private String message(Compiled rule, Map<String, Object> variables) {
            if (rule.message() != null) {
                try {
                    String made = String.valueOf(run(rule.message(), variables)).strip();
                    if (!made.isEmpty() && made.indexOf('\n') < 0 && made.length() <= MAX_MESSAGE) {
                        return made;
                    }
                } catch (CelEvaluationException | CelRuntimeException e) {
                    return givenMessage(rule.rule());
                }
            }
            return givenMessage(rule.rule());
        }
    }

    private static String words(@Nullable String message) {
        String text = String.valueOf(message);
        int at = text.indexOf(": ");
        return text.startsWith("evaluation error") && at >= 0 ? text.substring(at + 2) : text;
    }

    private static String givenMessage(ValidationRule rule) {
        return rule.message().isBlank()
                ? "failed rule: " + rule.rule().strip()
                : rule.message().strip();
    }

    private static FieldError broken(ValidationRule rule, Path path, String message) {
        Path at = rule.fieldPath().isEmpty() ? path : below(path, rule.fieldPath());
        return switch (rule.reason()) {
            case "FieldValueRequired" ->
                new FieldError(FieldError.Type.REQUIRED, at.toString(), "Required value: " + message);
            case "FieldValueForbidden" ->
                new FieldError(FieldError.Type.FORBIDDEN, at.toString(), "Forbidden: " + message);
            case "FieldValueDuplicate" ->
                new FieldError(FieldError.Type.DUPLICATE, at.toString(), "Duplicate value: " + message);
            default -> new FieldError(FieldError.Type.INVALID, at.toString(), "Invalid value: " + message);
        };
    }

    private static Path below(Path path, String fieldPath) {
        return fieldPath.startsWith("[") ? path.child(fieldPath) : path.child(fieldPath.substring(1));
    }
}
