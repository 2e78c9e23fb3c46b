package io.keelson.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field selector: fields that must equal, or not equal, given values ({@code metadata.name=x,status.phase!=Running}).
 * In values a backslash escapes a backslash, a comma or an equals sign. Immutable and thread-safe.
 */
public final class FieldSelector {
    /** One condition on one field. */
    public record Requirement(String field, boolean equal, String value) {
        @Override
        public String toString() {
            String escaped = value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
            return field + (equal ? "=" : "!=") + escaped;
        }
    }

    /** Matches every object. */
    public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

    private final List<Requirement> requirements;

    private FieldSelector(List<Requirement> requirements) {
        this.requirements = List.copyOf(requirements);
    }

    public static FieldSelector of(List<Requirement> requirements) {
        return requirements.isEmpty() ? EVERYTHING : new FieldSelector(requirements);
    }

    /**
     * Parses the text of a {@code fieldSelector} parameter. Whether a field may be selected by is the resource's to say.
     *
     * @throws IllegalArgumentException where it breaks the grammar
     */
    public static FieldSelector parse(String text) {
        var requirements = new ArrayList<Requirement>();
        for (String term : split(text)) {
            if (!term.isEmpty()) {
                requirements.add(requirement(term, text));
            }
        }
        return of(requirements);
    }

    private static List<String> split(String text) {
        var terms = new ArrayList<String>();
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == ',') {
                terms.add(text.substring(start, i));
                start = i + 1;
            }
        }
        terms.add(text.substring(start));
        return terms;
    }

    private static Requirement requirement(String term, String whole) {
        for (int i = 0; i < term.length(); i++) {
            if (term.startsWith("!=", i)) {
                return new Requirement(term.substring(0, i), false, unescape(term.substring(i + 2)));
            }
            if (term.startsWith("==", i)) {
                return new Requirement(term.substring(0, i), true, unescape(term.substring(i + 2)));
            }
            if (term.charAt(i) == '=') {
                return new Requirement(term.substring(0, i), true, unescape(term.substring(i + 1)));
            }
        }
        throw new IllegalArgumentException("invalid selector: '" + whole + "'; can't understand '" + term + "'");
    }

    private static String unescape(String value) {
        var out = new StringBuilder(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\') {
                if (++i == value.length() || "\\,=".indexOf(value.charAt(i)) < 0) {
                    throw new IllegalArgumentException(
                            "invalid field selector: invalid escape sequence in '" + value + "'");
                }
                out.append(value.charAt(i));
            } else if (c == '=') {
                throw new IllegalArgumentException("invalid field selector: unescaped character in value: =");
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /** Judges an object whose field values {@code value} looks up by path; an unset field is empty. */
    public boolean matches(Function<String, String> value) {
        for (Requirement requirement : requirements) {
            if (requirement.equal() != value.apply(requirement.field()).equals(requirement.value())) {
                return false;
            }
        }
        return true;
    }

    /** The one value that a field must have to match, or null where the selector leaves it open. */
    public @Nullable String requiredValue(String field) {
        for (Requirement requirement : requirements) {
            if (requirement.equal() && requirement.field().equals(field)) {
                return requirement.value();
            }
        }
        return null;
    }

    public boolean everything() {
        return requirements.isEmpty();
    }

    public List<Requirement> requirements() {
        return requirements;
    }

    @Override
    public String toString() {
        return String.join(",", requirements.stream().map(Requirement::toString).toList());
    }
}
