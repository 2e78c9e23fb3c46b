package io.keelson.resources.fields;

import java.math.BigInteger;
import java.net.InetAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/** Ranges of IP addresses in the form {@code 10.9.8.0/24}, of either family. */
public final class Cidrs {
    private static final Pattern PREFIX = Pattern.compile("0|[1-9]\\d{0,2}");

    /** @param address as many bytes as the family has */
    private record Cidr(byte[] address, int prefix) {
        /** The part of an address that its first bits make. */
        BigInteger network(int bits) {
            return new BigInteger(1, address).shiftRight(address.length * Byte.SIZE - bits);
        }
    }

    private Cidrs() {}

    public static boolean isValid(String text) {
        return parse(text).isPresent();
    }

    public static void check(Faults faults, String field, String text) {
        if (!isValid(text)) {
            faults.invalid(field, text, "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
        }
    }

    /** Whether a valid range lies within another valid one and is smaller. */
    public static boolean isStrictSubset(String inner, String outer) {
        Cidr in = parse(inner).orElseThrow();
        Cidr out = parse(outer).orElseThrow();
        return in.address.length == out.address.length
                && in.prefix > out.prefix
                && in.network(out.prefix).equals(out.network(out.prefix));
    }

    private static Optional<Cidr> parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0 || !PREFIX.matcher(text.substring(slash + 1)).matches()) {
            return Optional.empty();
        }
        String address = text.substring(0, slash);
        if (!IpAddresses.isValid(address)) {
            return Optional.empty();
        }
        try {
            byte[] bytes = InetAddress.ofLiteral(address).getAddress();
            int prefix = Integer.parseInt(text.substring(slash + 1));
            return prefix > bytes.length * Byte.SIZE ? Optional.empty() : Optional.of(new Cidr(bytes, prefix));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
