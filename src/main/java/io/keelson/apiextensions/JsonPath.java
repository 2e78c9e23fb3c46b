package io.keelson.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The paths of kubectl's JSONPath that printer columns use: fields, {@code ['a.b']}, {@code [0]}, {@code [*]}, slices, filters
 * by comparison, and {@code ..}. Immutable and thread-safe.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubectl/jsonpath/">JSONPath support</a>
 */
final class JsonPath {
    /** How many values a path may lead to before the rest is left out. */
    private static final int MAX_VALUES = 1_000;

    private final List<Step> steps;

    private JsonPath(List<Step> steps) {
        this.steps = List.copyOf(steps);
    }

    private sealed interface Step {
        record Field(String name) implements Step {}

        record Items(int from, int to, boolean single) implements Step {}

        record All() implements Step {}

        record Everywhere() implements Step {}

        record Filter(JsonPath left, String operator, String right) implements Step {}
    }

    /** Reads a path such as {@code .status.conditions[?(@.type=="Ready")].status}; null where it is none. */
    static @Nullable JsonPath parse(String text) {
        try {
            return new JsonPath(new Parser(text).steps());
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The values that the path leads to, in order. */
    List<JsonNode> find(JsonNode object) {
        List<JsonNode> here = List.of(object);
        for (Step step : steps) {
            var next = new ArrayList<JsonNode>();
            for (JsonNode node : here) {
                follow(step, node, next);
                if (next.size() > MAX_VALUES) {
                    break;
                }
            }
            here = next;
        }
        return here;
    }

    private static void follow(Step step, JsonNode node, List<JsonNode> to) {
        switch (step) {
            case Step.Field(String name) -> add(node.path(name), to);
            case Step.Items items -> items(items, node, to);
            case Step.All() -> node.forEach(to::add);
            case Step.Everywhere() -> everywhere(node, to);
            case Step.Filter filter -> {
                for (JsonNode item : node) {
                    if (holds(filter, item)) {
                        to.add(item);
                    }
                }
            }
        }
    }

    private static void add(JsonNode node, List<JsonNode> to) {
        if (!node.isMissingNode()) {
            to.add(node);
        }
    }

    private static void items(Step.Items items, JsonNode node, List<JsonNode> to) {
        if (!node.isArray()) {
            return;
        }
        int size = node.size();
        int from = items.from() < 0 ? items.from() + size : items.from();
        int end = items.to() < 0 ? items.to() + size : Math.min(items.to(), size);
        int last = items.single() ? from + 1 : end;
        for (int i = Math.max(from, 0); i < Math.min(last, size); i++) {
            add(node.path(i), to);
        }
    }

    private static void everywhere(JsonNode node, List<JsonNode> to) {
        if (to.size() > MAX_VALUES) {
            return;
        }
        to.add(node);
        node.forEach(child -> everywhere(child, to));
    }

    private static boolean holds(Step.Filter filter, JsonNode item) {
        List<JsonNode> found = filter.left().find(item);
        if (filter.operator().isEmpty()) {
            return !found.isEmpty();
        }
        if (found.isEmpty()) {
            return false;
        }
        JsonNode value = found.getFirst();
        int order;
        try {
            order = value.isNumber()
                    ? Double.compare(value.asDouble(), Double.parseDouble(filter.right()))
                    : value.asText().compareTo(filter.right());
        } catch (NumberFormatException e) {
            return filter.operator().equals("!=");
        }
        return switch (filter.operator()) {
            case "==", "=" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }

    /** Reads the text of a path from left to right. */
    private static final class Parser {
        private static final List<String> OPERATORS = List.of("==", "!=", "<=", ">=", "<", ">");

        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        List<Step> steps() {
            var steps = new ArrayList<Step>();
            while (at < text.length()) {
                char next = text.charAt(at);
                if (text.startsWith("..", at)) {
                    at++;
                    steps.add(new Step.Everywhere());
                } else if (next == '.') {
                    at++;
                    field(steps);
                } else if (next == '[') {
                    steps.add(brackets());
                } else {
                    throw new IllegalArgumentException("unexpected " + next);
                }
            }
            return steps;
        }

        private void field(List<Step> steps) {
            var name = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '[') {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                name.append(text.charAt(at++));
            }
            if (name.toString().equals("*")) {
                steps.add(new Step.All());
            } else if (!name.isEmpty()) {
                steps.add(new Step.Field(name.toString()));
            }
        }

        private Step brackets() {
            int end = closing();
            String inside = text.substring(at + 1, end).strip();
            at = end + 1;
            if (inside.equals("*")) {
                return new Step.All();
            }
            if (inside.startsWith("?(") && inside.endsWith(")")) {
                return filter(inside.substring(2, inside.length() - 1).strip());
            }
            if (isQuoted(inside)) {
                return new Step.Field(inside.substring(1, inside.length() - 1));
            }
            String[] bounds = inside.split(":", -1);
            if (bounds.length == 1) {
                return new Step.Items(Integer.parseInt(inside), 0, true);
            }
            int from = bounds[0].isBlank() ? 0 : Integer.parseInt(bounds[0].strip());
            int to = bounds[1].isBlank() ? Integer.MAX_VALUE : Integer.parseInt(bounds[1].strip());
            return new Step.Items(from, to, false);
        }

        /** Where the bracket that is open here closes, brackets in quotes and further ones inside aside. */
        private int closing() {
            char quote = 0;
            int depth = 0;
            for (int i = at; i < text.length(); i++) {
                char c = text.charAt(i);
                if (quote != 0) {
                    quote = c == quote ? 0 : quote;
                } else if (c == '\'' || c == '"') {
                    quote = c;
                } else if (c == '[') {
                    depth++;
                } else if (c == ']' && --depth == 0) {
                    return i;
                }
            }
            throw new IllegalArgumentException("unterminated array");
        }

        private static boolean isQuoted(String text) {
            return text.length() >= 2
                    && (text.charAt(0) == '\'' || text.charAt(0) == '"')
                    && text.charAt(text.length() - 1) == text.charAt(0);
        }

        private static Step filter(String condition) {
            for (String operator : OPERATORS) {
                int where = condition.indexOf(operator);
                if (where > 0) {
                    String right =
                            condition.substring(where + operator.length()).strip();
                    String value = isQuoted(right) ? right.substring(1, right.length() - 1) : right;
                    return new Step.Filter(left(condition.substring(0, where).strip()), operator, value);
                }
            }
            return new Step.Filter(left(condition), "", "");
        }

        private static JsonPath left(String text) {
            if (!text.startsWith("@")) {
                throw new IllegalArgumentException("a filter begins with @");
            }
            return new JsonPath(new Parser(text.substring(1)).steps());
        }
    }

    /** The value below dotted field names, such as {@code .spec.replicas}; missing where there is none. */
    static JsonNode simple(JsonNode object, String dotted) {
        JsonNode here = object;
        for (String name : dotted.substring(1).split("\\.", -1)) {
            here = here.isObject() ? here.path(name) : MissingNode.getInstance();
        }
        return here;
    }
}
