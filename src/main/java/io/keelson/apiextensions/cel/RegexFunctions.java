package io.keelson.apiextensions.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import io.keelson.apiextensions.cel.Functions.Param;
import java.util.ArrayList;
import java.util.List;

/** Functions that find what a regular expression matches, in RE2, which takes linear time. */
final class RegexFunctions {
    private static final CelType STRINGS = ListType.create(SimpleType.STRING);
    /** The longest regular expression, in characters. */
    private static final int MAX_EXPRESSION = 1_000;

    private RegexFunctions() {}

    static void addTo(Functions functions) {
        functions.member(
                "find",
                "string_find_string",
                SimpleType.STRING,
                args -> {
                    Matcher matcher = matcher((String) args[1], (String) args[0]);
                    return matcher.find() ? matcher.group() : "";
                },
                Param.TEXT,
                Param.TEXT);
        functions.member(
                "findAll",
                "string_find_all_string",
                STRINGS,
                args -> findAll((String) args[0], (String) args[1], -1),
                Param.TEXT,
                Param.TEXT);
        functions.member(
                "findAll",
                "string_find_all_string_int",
                STRINGS,
                args -> findAll((String) args[0], (String) args[1], (Long) args[2]),
                Param.TEXT,
                Param.TEXT,
                Param.NUMBER);
    }

    private static Matcher matcher(String expression, String text) {
        if (expression.length() > MAX_EXPRESSION) {
            throw new IllegalArgumentException("the regular expression is too long");
        }
        try {
            return Pattern.compile(expression).matcher(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("Illegal regex: " + e.getMessage());
        }
    }

    private static List<String> findAll(String text, String expression, long limit) {
        var found = new ArrayList<String>();
        Matcher matcher = matcher(expression, text);
        while ((limit < 0 || found.size() < limit) && matcher.find()) {
            found.add(matcher.group());
        }
        return found;
    }
}
