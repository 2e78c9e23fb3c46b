package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Pattern;

/** Shares of some pods: a number of them or a percentage. */
public final class Shares {
    private static final Pattern PERCENT = Pattern.compile("[0-9]+%");
    private static final Pattern ABOVE_ALL = Pattern.compile("0*(?!100%)[1-9][0-9]{2,}%");

    private Shares() {}

    public static void check(Faults faults, String field, JsonNode share) {
        if (share.isTextual()) {
            if (!PERCENT.matcher(share.asText()).matches()) {
                faults.invalid(
                        field,
                        share,
                        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                                + " regex used for validation is '[0-9]+%')");
            }
        } else {
            faults.notNegative(field, share);
        }
    }

    /** Whether a share is none at all. */
    public static boolean isZero(JsonNode share) {
        String text = share.asText().replace("%", "");
        return text.isEmpty() || text.chars().allMatch(c -> c == '0');
    }

    /** A percentage may not pass all of the pods. */
    public static void notAboveAll(Faults faults, String field, JsonNode share) {
        if (share.isTextual() && ABOVE_ALL.matcher(share.asText()).matches()) {
            faults.invalid(field, share, "must not be greater than 100%");
        }
    }
}
