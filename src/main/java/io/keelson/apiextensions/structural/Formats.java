package io.keelson.apiextensions.structural;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;

/**
 * The formats of texts that schemas may name. One that is not known fits every text, as in kube-apiserver.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/">The
 *     formats</a>
 */
public final class Formats {
    private static final String HEX = "[0-9a-fA-F]";
    private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final String HOST =
            "([a-zA-Z0-9_]([a-zA-Z0-9_-]{0,62})?)(\\.[a-zA-Z0-9_]([a-zA-Z0-9_-]{0,62})?)*[._]?";
    private static final int MAX_SHORT_NAME = 63;
    private static final int MAX_LONG_NAME = 253;

    /** Formats that a regular expression decides, which is to match the whole text. */
    private static final Map<String, String> EXPRESSIONS = Map.ofEntries(
            Map.entry("bsonobjectid", HEX + "{24}"),
            Map.entry(
                    "mac",
                    "(" + HEX + "{2}([:-]" + HEX + "{2}){5}([:-]" + HEX + "{2}){0,2}|" + HEX + "{4}(\\." + HEX
                            + "{4}){2,3})"),
            Map.entry("uuid", uuid(HEX, HEX)),
            Map.entry("uuid3", uuid("3", HEX)),
            Map.entry("uuid4", uuid("4", "[89abAB]")),
            Map.entry("uuid5", uuid("5", "[89abAB]")),
            Map.entry(
                    "creditcard",
                    "(4[0-9]{12}([0-9]{3})?|5[1-5][0-9]{14}|6(011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}"
                            + "|3(0[0-5]|[68][0-9])[0-9]{11}|(2131|1800|35[0-9]{3})[0-9]{11})"),
            Map.entry("ssn", "[0-9]{3}[- ]?[0-9]{2}[- ]?[0-9]{4}"),
            Map.entry("hexcolor", "#?(" + HEX + "{3}|" + HEX + "{6})"),
            Map.entry("rgbcolor", "rgb\\(\\s*" + OCTET + "\\s*,\\s*" + OCTET + "\\s*,\\s*" + OCTET + "\\s*\\)"),
            Map.entry("duration", "[0-9]+(\\.[0-9]+)?\\s*[a-zA-Zµ]*|([+-]?([0-9]*(\\.[0-9]*)?[a-zµ]+)+)|[+-]?0"),
            Map.entry("hostname", HOST),
            Map.entry("email", "[^@\\s]+@[^@\\s]+"),
            Map.entry("k8s-short-name", "[a-z0-9]([-a-z0-9]*[a-z0-9])?"),
            Map.entry("k8s-long-name", "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"));

    private Formats() {}

    private static String uuid(String version, String variant) {
        return HEX + "{8}-?" + HEX + "{4}-?" + version + HEX + "{3}-?" + variant + HEX + "{3}-?" + HEX + "{12}";
    }

    /** Whether a text has a format. */
    public static boolean fits(String format, String text) {
        return switch (format) {
            case "" -> true;
            case "date" -> isDate(text);
            case "date-time", "datetime" -> isDateTime(text);
            case "byte" -> isBase64(text);
            case "uri" -> isUri(text);
            case "ipv4" -> text.indexOf('.') >= 0 && text.indexOf(':') < 0 && IpAddress.parse(text) != null;
            case "ipv6" -> text.indexOf(':') >= 0 && IpAddress.parse(text) != null;
            case "cidr" -> IpAddress.network(text) != null;
            case "isbn" -> isIsbn10(text) || isIsbn13(text);
            case "isbn10" -> isIsbn10(text);
            case "isbn13" -> isIsbn13(text);
            case "k8s-short-name" -> text.length() <= MAX_SHORT_NAME && matches(format, text);
            case "k8s-long-name" -> text.length() <= MAX_LONG_NAME && matches(format, text);
            default -> !EXPRESSIONS.containsKey(format) || matches(format, text);
        };
    }

    private static boolean matches(String format, String text) {
        return Patterns.find("^(?:" + EXPRESSIONS.get(format) + ")$", text);
    }

    private static boolean isDate(String text) {
        try {
            return LocalDate.parse(text).getYear() >= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        try {
            return OffsetDateTime.parse(text.replace(' ', 'T').replace('t', 'T').replace('z', 'Z'))
                            .getYear()
                    >= 0;
        } catch (DateTimeException e) {
            return false;
        }
    }

    private static boolean isBase64(String text) {
        try {
            var _ = Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** An absolute URI or a path from the root, as a request line may hold. */
    private static boolean isUri(String text) {
        try {
            URI uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean isIsbn10(String text) {
        String digits = text.replace("-", "").replace(" ", "");
        if (!Patterns.find("^[0-9]{9}[0-9X]$", digits)) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) == 'X' ? 10 : digits.charAt(i) - '0';
            sum += (i + 1) * digit;
        }
        return sum % 11 == 0;
    }

    private static boolean isIsbn13(String text) {
        String digits = text.replace("-", "").replace(" ", "");
        if (!Patterns.find("^[0-9]{13}$", digits)) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < digits.length(); i++) {
            sum += (digits.charAt(i) - '0') * (i % 2 == 0 ? 1 : 3);
        }
        return sum % 10 == 0;
    }
}
