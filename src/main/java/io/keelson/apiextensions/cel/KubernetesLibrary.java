package io.keelson.apiextensions.cel;

import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import io.keelson.api.Names;
import io.keelson.apiextensions.cel.Functions.Param;
import io.keelson.apiextensions.structural.Formats;
import io.keelson.apiextensions.structural.IpAddress;
import io.keelson.resources.fields.Quantities;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The functions that Kubernetes adds to CEL.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/cel/">Common Expression Language in Kubernetes</a>
 */
final class KubernetesLibrary {
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    private static final CelType URL = OpaqueType.create("kubernetes.URL");
    private static final CelType IP = OpaqueType.create("net.IP");
    private static final CelType CIDR = OpaqueType.create("net.CIDR");
    private static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");
    private static final CelType T = TypeParamType.create("T");
    private static final CelType LIST_OF_T = ListType.create(T);
    private static final CelType STRINGS = ListType.create(SimpleType.STRING);

    private static final Param TEXT = new Param(SimpleType.STRING, String.class);
    private static final Param NUMBER = new Param(SimpleType.INT, Long.class);
    private static final Param LIST = new Param(LIST_OF_T, List.class);
    private static final Param ITEM = new Param(T, Object.class);

    /** The longest regular expression, in characters. */
    private static final int MAX_EXPRESSION = 1_000;

    private KubernetesLibrary() {}

    static Functions functions() {
        var functions = new Functions();
        lists(functions);
        regex(functions);
        urls(functions);
        quantities(functions);
        addresses(functions);
        cidrs(functions);
        formats(functions);
        functions.member(
                "format",
                "string_format",
                SimpleType.STRING,
                args -> TextFormat.format((String) args[0], (List<?>) args[1]),
                TEXT,
                new Param(ListType.create(SimpleType.DYN), List.class));
        return functions;
    }

    private static IllegalArgumentException bad(String why) {
        return new IllegalArgumentException(why);
    }

    // ---- lists

    private static void lists(Functions functions) {
        functions.member("isSorted", "list_is_sorted", SimpleType.BOOL, args -> isSorted((List<?>) args[0]), LIST);
        functions.member("sum", "list_sum", T, args -> sum((List<?>) args[0]), LIST);
        functions.member("min", "list_min", T, args -> extreme((List<?>) args[0], -1, "min"), LIST);
        functions.member("max", "list_max", T, args -> extreme((List<?>) args[0], 1, "max"), LIST);
        functions.member(
                "indexOf",
                "list_index_of",
                SimpleType.INT,
                args -> (long) ((List<?>) args[0]).indexOf(args[1]),
                LIST,
                ITEM);
        functions.member(
                "lastIndexOf",
                "list_last_index_of",
                SimpleType.INT,
                args -> (long) ((List<?>) args[0]).lastIndexOf(args[1]),
                LIST,
                ITEM);
    }

    private static boolean isSorted(List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            if (compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
        if (one instanceof Number a
                && other instanceof Number b
                && !a.getClass().equals(b.getClass())) {
            return Double.compare(a.doubleValue(), b.doubleValue());
        }
        if (one instanceof Comparable<?> comparable) {
            return ((Comparable<Object>) comparable).compareTo(other);
        }
        throw bad("no such overload");
    }

    private static Object extreme(List<?> list, int sign, String name) {
        if (list.isEmpty()) {
            throw bad(name + " called on empty list");
        }
        Object best = list.getFirst();
        for (Object item : list) {
            if (compare(item, best) * (long) sign > 0) {
                best = item;
            }
        }
        return best;
    }

    private static Object sum(List<?> list) {
        boolean fractions = list.stream().anyMatch(Double.class::isInstance);
        if (fractions) {
            return list.stream()
                    .mapToDouble(item -> ((Number) item).doubleValue())
                    .sum();
        }
        long sum = 0;
        for (Object item : list) {
            sum = Math.addExact(sum, ((Number) item).longValue());
        }
        return sum;
    }

    // ---- regular expressions

    private static void regex(Functions functions) {
        functions.member(
                "find",
                "string_find_string",
                SimpleType.STRING,
                args -> {
                    Matcher matcher = matcher((String) args[1], (String) args[0]);
                    return matcher.find() ? matcher.group() : "";
                },
                TEXT,
                TEXT);
        functions.member(
                "findAll",
                "string_find_all_string",
                STRINGS,
                args -> findAll((String) args[0], (String) args[1], -1),
                TEXT,
                TEXT);
        functions.member(
                "findAll",
                "string_find_all_string_int",
                STRINGS,
                args -> findAll((String) args[0], (String) args[1], (Long) args[2]),
                TEXT,
                TEXT,
                NUMBER);
    }

    private static Matcher matcher(String expression, String text) {
        if (expression.length() > MAX_EXPRESSION) {
            throw bad("the regular expression is too long");
        }
        try {
            return Pattern.compile(expression).matcher(text);
        } catch (PatternSyntaxException e) {
            throw bad("Illegal regex: " + e.getMessage());
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

    // ---- URLs

    private record Url(URI uri) {}

    private static void urls(Functions functions) {
        Param url = new Param(URL, Url.class);
        functions.global("isURL", "is_url_string", SimpleType.BOOL, args -> parsed((String) args[0]) != null, TEXT);
        functions.global(
                "url",
                "string_to_url",
                URL,
                args -> {
                    Url parsed = parsed((String) args[0]);
                    if (parsed == null) {
                        throw bad("URL parse error during conversion from string: parse \"" + args[0]
                                + "\": invalid URI for request");
                    }
                    return parsed;
                },
                TEXT);
        part(functions, url, "getScheme", uri -> orEmpty(uri.getScheme()));
        part(functions, url, "getHost", uri -> orEmpty(uri.getRawAuthority()).replaceFirst("^[^@]*@", ""));
        part(functions, url, "getHostname", uri -> orEmpty(uri.getHost()).replaceAll("^\\[|\\]$", ""));
        part(functions, url, "getPort", uri -> uri.getPort() < 0 ? "" : Integer.toString(uri.getPort()));
        part(functions, url, "getEscapedPath", uri -> orEmpty(uri.getRawPath()));
        functions.member(
                "getQuery",
                "url_get_query",
                MapType.create(SimpleType.STRING, STRINGS),
                args -> query(((Url) args[0]).uri()),
                url);
    }

    private static void part(Functions functions, Param url, String name, Function<URI, String> part) {
        functions.member(name, "url_" + name, SimpleType.STRING, args -> part.apply(((Url) args[0]).uri()), url);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static @Nullable Url parsed(String text) {
        try {
            var uri = new URI(text);
            return uri.isAbsolute() || text.startsWith("/") ? new Url(uri) : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }

    private static Map<String, List<String>> query(URI uri) {
        var query = new LinkedHashMap<String, List<String>>();
        for (String pair : orEmpty(uri.getRawQuery()).split("&", -1)) {
            if (!pair.isEmpty()) {
                String[] halves = pair.split("=", 2);
                query.computeIfAbsent(decoded(halves[0]), any -> new ArrayList<>())
                        .add(halves.length > 1 ? decoded(halves[1]) : "");
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    // ---- quantities

    private record Quantity(BigDecimal value) implements Comparable<Quantity> {
        @Override
        public int compareTo(Quantity other) {
            return value.compareTo(other.value);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Quantity quantity && compareTo(quantity) == 0;
        }

        @Override
        public int hashCode() {
            return value.stripTrailingZeros().hashCode();
        }

        boolean whole() {
            return value.stripTrailingZeros().scale() <= 0
                    && value.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        }
    }

    private static void quantities(Functions functions) {
        Param quantity = new Param(QUANTITY, Quantity.class);
        functions.global(
                "isQuantity",
                "is_quantity_string",
                SimpleType.BOOL,
                args -> Quantities.value(TextNode.valueOf((String) args[0])) != null,
                TEXT);
        functions.global(
                "quantity",
                "string_to_quantity",
                QUANTITY,
                args -> {
                    BigDecimal value = Quantities.value(TextNode.valueOf((String) args[0]));
                    if (value == null) {
                        throw bad("quantities must match the regular expression "
                                + "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
                    }
                    return new Quantity(value);
                },
                TEXT);
        functions.member(
                "sign",
                "quantity_sign",
                SimpleType.INT,
                args -> (long) value(args[0]).signum(),
                quantity);
        functions.member(
                "isInteger", "quantity_is_integer", SimpleType.BOOL, args -> ((Quantity) args[0]).whole(), quantity);
        functions.member(
                "asInteger",
                "quantity_as_integer",
                SimpleType.INT,
                args -> {
                    if (!((Quantity) args[0]).whole()) {
                        throw bad("cannot convert value to integer");
                    }
                    return value(args[0]).setScale(0, RoundingMode.UNNECESSARY).longValueExact();
                },
                quantity);
        functions.member(
                "asApproximateFloat",
                "quantity_as_float",
                SimpleType.DOUBLE,
                args -> value(args[0]).doubleValue(),
                quantity);
        functions.member(
                "compareTo",
                "quantity_compare_to",
                SimpleType.INT,
                args -> (long) value(args[0]).compareTo(value(args[1])),
                quantity,
                quantity);
        functions.member(
                "isGreaterThan",
                "quantity_is_greater_than",
                SimpleType.BOOL,
                args -> value(args[0]).compareTo(value(args[1])) > 0,
                quantity,
                quantity);
        functions.member(
                "isLessThan",
                "quantity_is_less_than",
                SimpleType.BOOL,
                args -> value(args[0]).compareTo(value(args[1])) < 0,
                quantity,
                quantity);
        functions.member(
                "add",
                "quantity_add",
                QUANTITY,
                args -> new Quantity(value(args[0]).add(value(args[1]))),
                quantity,
                quantity);
        functions.member(
                "add",
                "quantity_add_int",
                QUANTITY,
                args -> new Quantity(value(args[0]).add(BigDecimal.valueOf((Long) args[1]))),
                quantity,
                NUMBER);
        functions.member(
                "sub",
                "quantity_sub",
                QUANTITY,
                args -> new Quantity(value(args[0]).subtract(value(args[1]))),
                quantity,
                quantity);
        functions.member(
                "sub",
                "quantity_sub_int",
                QUANTITY,
                args -> new Quantity(value(args[0]).subtract(BigDecimal.valueOf((Long) args[1]))),
                quantity,
                NUMBER);
    }

    private static BigDecimal value(Object quantity) {
        return ((Quantity) quantity).value();
    }

    // ---- addresses

    private static void addresses(Functions functions) {
        Param ip = new Param(IP, IpAddress.class);
        functions.global("isIP", "is_ip", SimpleType.BOOL, args -> IpAddress.parse((String) args[0]) != null, TEXT);
        functions.global("ip", "string_to_ip", IP, args -> address((String) args[0]), TEXT);
        functions.global(
                "ip.isCanonical",
                "ip_is_canonical",
                SimpleType.BOOL,
                args -> address((String) args[0]).toString().equals(args[0]),
                TEXT);
        functions.global("string", "ip_to_string", SimpleType.STRING, args -> args[0].toString(), ip);
        functions.member("family", "ip_family", SimpleType.INT, args -> (long) ((IpAddress) args[0]).family(), ip);
        is(functions, ip, "isUnspecified", IpAddress::isUnspecified);
        is(functions, ip, "isLoopback", IpAddress::isLoopback);
        is(functions, ip, "isLinkLocalMulticast", IpAddress::isLinkLocalMulticast);
        is(functions, ip, "isLinkLocalUnicast", IpAddress::isLinkLocalUnicast);
        is(functions, ip, "isGlobalUnicast", IpAddress::isGlobalUnicast);
    }

    private static void is(Functions functions, Param ip, String name, Function<IpAddress, Boolean> what) {
        functions.member(name, "ip_" + name, SimpleType.BOOL, args -> what.apply((IpAddress) args[0]), ip);
    }

    private static IpAddress address(String text) {
        IpAddress address = IpAddress.parse(text);
        if (address == null) {
            throw bad("IP Address \"" + text + "\" parse error during conversion from string: unable to parse IP");
        }
        return address;
    }

    private static void cidrs(Functions functions) {
        Param cidr = new Param(CIDR, IpAddress.Network.class);
        Param ip = new Param(IP, IpAddress.class);
        functions.global(
                "isCIDR", "is_cidr", SimpleType.BOOL, args -> IpAddress.network((String) args[0]) != null, TEXT);
        functions.global("cidr", "string_to_cidr", CIDR, args -> network((String) args[0]), TEXT);
        functions.global("string", "cidr_to_string", SimpleType.STRING, args -> args[0].toString(), cidr);
        functions.member("ip", "cidr_ip", IP, args -> ((IpAddress.Network) args[0]).address(), cidr);
        functions.member("masked", "cidr_masked", CIDR, args -> ((IpAddress.Network) args[0]).masked(), cidr);
        functions.member(
                "prefixLength",
                "cidr_prefix_length",
                SimpleType.INT,
                args -> (long) ((IpAddress.Network) args[0]).bits(),
                cidr);
        functions.member(
                "containsIP",
                "cidr_contains_ip",
                SimpleType.BOOL,
                args -> ((IpAddress.Network) args[0]).contains((IpAddress) args[1]),
                cidr,
                ip);
        functions.member(
                "containsIP",
                "cidr_contains_ip_string",
                SimpleType.BOOL,
                args -> ((IpAddress.Network) args[0]).contains(address((String) args[1])),
                cidr,
                TEXT);
        functions.member(
                "containsCIDR",
                "cidr_contains_cidr",
                SimpleType.BOOL,
                args -> ((IpAddress.Network) args[0]).contains((IpAddress.Network) args[1]),
                cidr,
                cidr);
        functions.member(
                "containsCIDR",
                "cidr_contains_cidr_string",
                SimpleType.BOOL,
                args -> ((IpAddress.Network) args[0]).contains(network((String) args[1])),
                cidr,
                TEXT);
    }

    private static IpAddress.Network network(String text) {
        IpAddress.Network network = IpAddress.network(text);
        if (network == null) {
            throw bad("network address parse error during conversion from string: invalid CIDR \"" + text + "\"");
        }
        return network;
    }

    // ---- formats

    private record Format(String name, Function<String, List<String>> rule) {}

    private static final Map<String, Format> FORMATS = formats();

    private static Map<String, Format> formats() {
        var formats = new LinkedHashMap<String, Format>();
        Map.<String, Function<String, List<String>>>of(
                        "dns1123Label", Names::label,
                        "dns1123Subdomain", Names::subdomain,
                        "dns1035Label", Names::label1035,
                        "dns1123LabelPrefix", text -> Names.label(text.replaceAll("-$", "a")),
                        "dns1123SubdomainPrefix", text -> Names.subdomain(text.replaceAll("-$", "a")),
                        "dns1035LabelPrefix", text -> Names.label1035(text.replaceAll("-$", "a")),
                        "qualifiedName", Names::labelKey,
                        "labelValue", Names::labelValue)
                .forEach((name, rule) -> formats.put(name, new Format(name, rule)));
        formats.put("uri", new Format("uri", text -> parsed(text) != null ? List.of() : List.of("invalid uri")));
        for (String name : List.of("uuid", "byte", "date", "datetime")) {
            formats.put(
                    name, new Format(name, text -> Formats.fits(name, text) ? List.of() : List.of("invalid " + name)));
        }
        return formats;
    }

    private static void formats(Functions functions) {
        Param format = new Param(FORMAT, Format.class);
        FORMATS.forEach((name, value) -> functions.global("format." + name, "format_" + name, FORMAT, args -> value));
        functions.global(
                "format.named",
                "format_named",
                OptionalType.create(FORMAT),
                args -> Optional.ofNullable(FORMATS.get((String) args[0])),
                TEXT);
        functions.member(
                "validate",
                "format_validate",
                OptionalType.create(STRINGS),
                args -> {
                    List<String> faults = ((Format) args[0]).rule().apply((String) args[1]);
                    return faults.isEmpty() ? Optional.empty() : Optional.of(faults);
                },
                format,
                TEXT);
    }
}
