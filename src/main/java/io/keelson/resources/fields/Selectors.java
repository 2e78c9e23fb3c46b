package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.LabelSelector;
import io.keelson.api.LabelSelector.Operator;
import io.keelson.api.LabelSelector.Requirement;
import io.keelson.api.Labels;
import io.keelson.api.Names;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Label selectors as objects carry them, with {@code matchLabels} and {@code matchExpressions}. */
public final class Selectors {
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist");

    private Selectors() {}

    public static boolean isEmpty(JsonNode selector) {
        return selector.path("matchLabels").isEmpty()
                && selector.path("matchExpressions").isEmpty();
    }

    /** The selector that a node means; an unknown operator counts as {@code Exists}. */
    public static LabelSelector of(JsonNode selector) {
        var requirements = new ArrayList<Requirement>();
        Trees.map(selector.path("matchLabels"))
                .forEach((key, value) -> requirements.add(new Requirement(key, Operator.EQUALS, List.of(value))));
        for (JsonNode expression : selector.path("matchExpressions")) {
            var operator = switch (Trees.text(expression, "operator")) {
                case "In" -> Operator.IN;
                case "NotIn" -> Operator.NOT_IN;
                case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
                default -> Operator.EXISTS;
            };
            requirements.add(
                    new Requirement(Trees.text(expression, "key"), operator, Trees.texts(expression.path("values"))));
        }
        requirements.sort(Comparator.comparing(Requirement::key));
        return LabelSelector.of(requirements);
    }

    /** The selector as tables show it. */
    public static String show(JsonNode selector) {
        String text = of(selector).toString();
        return text.isEmpty() ? "<none>" : text;
    }

    /** Whether labels meet a selector; an absent selector is met by none, an empty one by all. */
    public static boolean matches(JsonNode selector, JsonNode labels) {
        return selector.isObject() && of(selector).matches(Labels.of(Trees.map(labels)));
    }

    public static void check(Faults faults, String field, JsonNode selector) {
        faults.labels(field + ".matchLabels", selector.path("matchLabels"));
        int i = 0;
        for (JsonNode expression : selector.path("matchExpressions")) {
            checkExpression(faults, field + ".matchExpressions[" + i++ + "]", expression);
        }
    }

    private static void checkExpression(Faults faults, String field, JsonNode expression) {
        String operator = Trees.text(expression, "operator");
        boolean valued = operator.equals("In") || operator.equals("NotIn");
        boolean hasValues = !expression.path("values").isEmpty();
        if (!OPERATORS.contains(operator)) {
            faults.invalid(field + ".operator", operator, "not a valid selector operator");
        } else if (valued && !hasValues) {
            faults.required(field + ".values", "must be specified when `operator` is 'In' or 'NotIn'");
        } else if (!valued && hasValues) {
            faults.forbidden(field + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
        }
        faults.rule(field + ".key", Trees.text(expression, "key"), Names::labelKey);
        int i = 0;
        for (String value : Trees.texts(expression.path("values"))) {
            faults.rule(field + ".values[" + i++ + "]", value, Names::labelValue);
        }
    }
}
