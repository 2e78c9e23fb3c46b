package io.keelson.api;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A label selector: requirements that an object's labels must all meet. The grammar is that of the API's list and watch
 * parameter ({@code a=b}, {@code a==b}, {@code a!=b}, {@code a in (b,c)}, {@code a notin (b)}, {@code a}, {@code !a},
 * {@code a>1}, {@code a<1}). Immutable and thread-safe.
 */
public final class LabelSelector {
    /** How a requirement judges a label. */
    public enum Operator {
        EQUALS,
        NOT_EQUALS,
        IN,
        NOT_IN,
        EXISTS,
        DOES_NOT_EXIST,
        GREATER_THAN,
        LESS_THAN
    }

    /**
     * One condition on one label.
     *
     * @param values what the operator compares with: none for EXISTS and DOES_NOT_EXIST
     */
    public record Requirement(String key, Operator operator, List<String> values) {
        public Requirement {
            values = List.copyOf(values);
        }

        boolean matches(Labels labels) {
            String value = labels.get(key);
            return switch (operator) {
                case EQUALS, IN -> value != null && values.contains(value);
                case NOT_EQUALS, NOT_IN -> value == null || !values.contains(value);
                case EXISTS -> value != null;
                case DOES_NOT_EXIST -> value == null;
                case GREATER_THAN -> compare(value) > 0;
                case LESS_THAN -> compare(value) < 0;
            };
        }

        /** 0, so that neither order holds, where the label is no integer. */
        private int compare(@Nullable String value) {
            try {
                return value == null ? 0 : Long.compare(Long.parseLong(value), Long.parseLong(values.getFirst()));
            } catch (NumberFormatException e) {
                return 0;
            }
        }

        @Override
        public String toString() {
            return switch (operator) {
                case EQUALS -> key + "=" + values.getFirst();
                case NOT_EQUALS -> key + "!=" + values.getFirst();
                case IN -> key + " in (" + String.join(",", new TreeSet<>(values)) + ")";
                case NOT_IN -> key + " notin (" + String.join(",", new TreeSet<>(values)) + ")";
                case EXISTS -> key;
                case DOES_NOT_EXIST -> "!" + key;
                case GREATER_THAN -> key + ">" + values.getFirst();
                case LESS_THAN -> key + "<" + values.getFirst();
            };
        }
    }

    /** Matches every object. */
    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    private final List<Requirement> requirements;

    private LabelSelector(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    public static LabelSelector of(List<Requirement> requirements) {
        return requirements.isEmpty() ? EVERYTHING : new LabelSelector(requirements);
    }

    /**
     * Parses the text of a {@code labelSelector} parameter.
     *
     * @throws IllegalArgumentException where it breaks the grammar; the message says where and why
     */
    public static LabelSelector parse(String text) {
        return of(new LabelSelectorParser(text).parse());
    }

    public boolean matches(Labels labels) {
        for (Requirement requirement : requirements) {
            if (!requirement.matches(labels)) {
                return false;
            }
        }
        return true;
    }

    public boolean everything() {
        return requirements.isEmpty();
    }

    public List<Requirement> requirements() {
        return requirements;
    }

    @Override
    public String toString() {
        var parts = new ArrayList<String>();
        requirements.forEach(requirement -> parts.add(requirement.toString()));
        return String.join(",", parts);
    }
}
