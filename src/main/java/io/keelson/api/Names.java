package io.keelson.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The rules for names, label keys and label values, as the API reference's "Object Names and IDs" and "Labels and
 * Selectors" pages give them. Each method returns what is wrong, in Kubernetes' words, or nothing.
 */
public final class Names {
    /** The longest DNS subdomain, in characters (RFC 1123). */
    public static final int MAX_SUBDOMAIN = 253;

    /** The longest DNS label, and the longest label value and name part, in characters. */
    public static final int MAX_LABEL = 63;

    private static final String SUBDOMAIN_FORM = "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
    private static final String LABEL_FORM = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String LABEL_1035_FORM = "[a-z]([-a-z0-9]*[a-z0-9])?";
    private static final String QUALIFIED_FORM = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final String VALUE_FORM = "(" + QUALIFIED_FORM + ")?";
    private static final String CONFIG_KEY_FORM = "[-._a-zA-Z0-9]+";
    private static final Pattern LABEL = Pattern.compile(LABEL_FORM);
    private static final Pattern LABEL_1035 = Pattern.compile(LABEL_1035_FORM);
    private static final Pattern QUALIFIED = Pattern.compile(QUALIFIED_FORM);
    private static final Pattern VALUE = Pattern.compile(VALUE_FORM);
    private static final String PATH_FORM = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    private static final Pattern PATH = Pattern.compile(PATH_FORM);
    private static final Pattern CONFIG_KEY = Pattern.compile(CONFIG_KEY_FORM);

    private Names() {}

    /** The regular expression would take a stack frame for each dot of a name as long as a body may be. */
    private static boolean isSubdomain(String name) {
        boolean edge = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean last = i + 1 == name.length() || name.charAt(i + 1) == '.';
            if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
                edge = false;
            } else if (c == '.' && !edge) {
                edge = true;
            } else if (c != '-' || edge || last) {
                return false;
            }
        }
        return !name.isEmpty() && !edge;
    }

    /** A lower-case DNS subdomain: what most objects are named by. */
    public static List<String> subdomain(String name) {
        var faults = new ArrayList<String>();
        if (name.length() > MAX_SUBDOMAIN) {
            faults.add("must be no more than " + MAX_SUBDOMAIN + " characters");
        }
        if (!isSubdomain(name)) {
            faults.add(
                    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and"
                            + " must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation"
                            + " is '" + SUBDOMAIN_FORM + "')");
        }
        return faults;
    }

    /** A lower-case DNS label: what namespaces are named by. */
    public static List<String> label(String name) {
        var faults = new ArrayList<String>();
        if (name.length() > MAX_LABEL) {
            faults.add("must be no more than " + MAX_LABEL + " characters");
        }
        if (!LABEL.matcher(name).matches()) {
            if (isSubdomain(name)) {
                faults.add("must not contain dots");
            } else {
                faults.add(
                        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must"
                                + " start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for"
                                + " validation is '" + LABEL_FORM + "')");
            }
        }
        return faults;
    }

    /** A DNS label that begins with a letter (RFC 1035): what services were named by. */
    public static List<String> label1035(String name) {
        var faults = new ArrayList<String>();
        if (name.length() > MAX_LABEL) {
            faults.add("must be no more than " + MAX_LABEL + " characters");
        }
        if (!LABEL_1035.matcher(name).matches()) {
            faults.add(
                    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                            + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for"
                            + " validation is '" + LABEL_1035_FORM + "')");
        }
        return faults;
    }

    /** One segment of a path, as RBAC objects are named: anything but {@code .}, {@code ..}, {@code /} and {@code %}. */
    public static List<String> pathSegment(String name) {
        var faults = new ArrayList<String>();
        if (name.equals(".") || name.equals("..")) {
            faults.add("may not be '" + name + "'");
        }
        for (String part : List.of("/", "%")) {
            if (name.contains(part)) {
                faults.add("may not contain '" + part + "'");
            }
        }
        return faults;
    }

    /** A DNS subdomain, a slash and a path, as controllers are named by: {@code example.com/ingress/v1}. */
    public static List<String> domainPrefixedPath(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1) {
            return List.of("must be a domain-prefixed path (such as \"acme.io/foo\")");
        }
        var faults = new ArrayList<String>();
        subdomain(text.substring(0, slash)).forEach(fault -> faults.add("prefix part " + fault));
        if (!PATH.matcher(text.substring(slash + 1)).matches()) {
            faults.add(
                    "path part must consist of the characters that an HTTP path may have (regex used for validation is"
                            + " '" + PATH_FORM + "')");
        }
        return faults;
    }

    /** A label or annotation key: an optional DNS subdomain and a slash, then a name. */
    public static List<String> labelKey(String key) {
        var faults = new ArrayList<String>();
        int slash = key.indexOf('/');
        String name = key.substring(slash + 1);
        if (slash >= 0) {
            if (name.indexOf('/') >= 0) {
                return List.of(
                        "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start"
                                + " and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used"
                                + " for validation is '" + QUALIFIED_FORM
                                + "') with an optional DNS subdomain prefix and '/'"
                                + " (e.g. 'example.com/MyName')");
            }
            String prefix = key.substring(0, slash);
            if (prefix.isEmpty()) {
                faults.add("prefix part must be non-empty");
            } else {
                subdomain(prefix).forEach(fault -> faults.add("prefix part " + fault));
            }
        }
        if (name.isEmpty()) {
            faults.add("name part must be non-empty");
        } else if (name.length() > MAX_LABEL) {
            faults.add("name part must be no more than " + MAX_LABEL + " bytes");
        }
        if (!QUALIFIED.matcher(name).matches()) {
            faults.add(
                    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
                            + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                            + " '" + QUALIFIED_FORM + "')");
        }
        return faults;
    }

    public static List<String> labelValue(String value) {
        var faults = new ArrayList<String>();
        if (value.getBytes(StandardCharsets.UTF_8).length > MAX_LABEL) {
            faults.add("must be no more than " + MAX_LABEL + " bytes");
        }
        if (!VALUE.matcher(value).matches()) {
            faults.add(
                    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and"
                            + " must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345',"
                            + " regex used for validation is '" + VALUE_FORM + "')");
        }
        return faults;
    }

    /** A key of a config map or secret: a file name. */
    public static List<String> configKey(String key) {
        var faults = new ArrayList<String>();
        if (key.length() > MAX_SUBDOMAIN) {
            faults.add("must be no more than " + MAX_SUBDOMAIN + " characters");
        }
        if (!CONFIG_KEY.matcher(key).matches()) {
            faults.add(
                    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or"
                            + " 'KEY_NAME',  or 'key-name', regex used for validation is '" + CONFIG_KEY_FORM + "')");
        }
        if (key.equals(".") || key.equals("..") || key.startsWith("..")) {
            faults.add(
                    key.equals(".")
                            ? "must not be '.'"
                            : key.equals("..") ? "must not be '..'" : "must not start with '..'");
        }
        return faults;
    }
}
