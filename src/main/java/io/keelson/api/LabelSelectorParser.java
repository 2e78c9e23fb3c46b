package io.keelson.api;

import io.keelson.api.LabelSelector.Operator;
import io.keelson.api.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/** Recursive descent over the grammar of label selectors; one use per text. */
final class LabelSelectorParser {
    private final String text;
    private int at;

    LabelSelectorParser(String text) {
        this.text = text;
    }

    List<Requirement> parse() {
        var requirements = new ArrayList<Requirement>();
        skipSpace();
        while (at < text.length()) {
            requirements.add(requirement());
            skipSpace();
            if (at < text.length()) {
                if (text.charAt(at) != ',') {
                    throw new IllegalArgumentException("found '" + found() + "', expected: ',' or 'end of string'");
                }
                at++;
                skipSpace();
                if (at == text.length()) {
                    throw new IllegalArgumentException("found '', expected: identifier after ','");
                }
            }
        }
        requirements.sort(Comparator.comparing(Requirement::key));
        return requirements;
    }

    private Requirement requirement() {
        if (text.charAt(at) == '!') {
            at++;
            skipSpace();
            return new Requirement(key(), Operator.DOES_NOT_EXIST, List.of());
        }
        String key = key();
        skipSpace();
        if (at == text.length() || text.charAt(at) == ',') {
            return new Requirement(key, Operator.EXISTS, List.of());
        }
        if (take("==") || take("=")) {
            return new Requirement(key, Operator.EQUALS, List.of(value(key)));
        }
        if (take("!=")) {
            return new Requirement(key, Operator.NOT_EQUALS, List.of(value(key)));
        }
        if (take(">")) {
            return new Requirement(key, Operator.GREATER_THAN, List.of(integer(key)));
        }
        if (take("<")) {
            return new Requirement(key, Operator.LESS_THAN, List.of(integer(key)));
        }
        int before = at;
        String word = word();
        return switch (word) {
            case "in" -> new Requirement(key, Operator.IN, values(key));
            case "notin" -> new Requirement(key, Operator.NOT_IN, values(key));
            default -> {
                at = before;
                throw unexpected("in, notin, =, ==, !=, gt, lt");
            }
        };
    }

    private List<String> values(String key) {
        skipSpace();
        if (!take("(")) {
            throw unexpected("'('");
        }
        var values = new TreeSet<String>();
        while (true) {
            skipSpace();
            values.add(checked(key, word()));
            skipSpace();
            if (take(")")) {
                return List.copyOf(values);
            }
            if (!take(",")) {
                throw unexpected("',' or ')'");
            }
        }
    }

    private String key() {
        String key = word();
        List<String> faults = Names.labelKey(key);
        if (!faults.isEmpty()) {
            throw key.isEmpty()
                    ? unexpected("!, identifier, or 'end of string'")
                    : new IllegalArgumentException("key: Invalid value: \"" + key + "\": " + String.join("; ", faults));
        }
        return key;
    }

    private String value(String key) {
        skipSpace();
        return checked(key, word());
    }

    private String integer(String key) {
        String value = value(key);
        try {
            return Long.toString(Long.parseLong(value));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("values[0][" + key + "]: Invalid value: \"" + value
                    + "\": for 'Gt', 'Lt' operators, the value must be an integer");
        }
    }

    private static String checked(String key, String value) {
        List<String> faults = Names.labelValue(value);
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(
                    "values[0][" + key + "]: Invalid value: \"" + value + "\": " + String.join("; ", faults));
        }
        return value;
    }

    private String word() {
        int start = at;
        while (at < text.length() && "()!,=<> \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return text.substring(start, at);
    }

    private boolean take(String token) {
        if (text.startsWith(token, at)) {
            at += token.length();
            return true;
        }
        return false;
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException unexpected(String expected) {
        return new IllegalArgumentException(
                "unable to parse requirement: found '" + found() + "', expected: " + expected);
    }

    /** What stands where something else should. */
    private String found() {
        String word = word();
        return word.isEmpty() && at < text.length() ? text.substring(at, at + 1) : word;
    }
}
