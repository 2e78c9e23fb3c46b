package io.keelson.apiextensions.structural;

import java.math.BigInteger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An IP address as a number of 32 or 128 bits, read without looking any name up. Immutable. */
public final class IpAddress {
    private static final int V4_BYTES = 4;
    private static final int V6_BYTES = 16;
    private static final int GROUPS = 8;

    private final byte[] bytes;

    private IpAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * An address and how many of its bits name a network.
     *
     * @param bits the length of the prefix
     */
    public record Network(IpAddress address, int bits) {
        /** The network with no bit set after the prefix. */
        public Network masked() {
            return new Network(address.masked(bits), bits);
        }

        public boolean contains(IpAddress other) {
            return other.bytes.length == address.bytes.length
                    && address.masked(bits).equals(other.masked(bits));
        }

        public boolean contains(Network other) {
            return other.bits >= bits && contains(other.address);
        }

        @Override
        public String toString() {
            return address + "/" + bits;
        }
    }

    /** The address that a text is; null where it is none. IPv4 addresses in the form of IPv6 are none. */
    public static @Nullable IpAddress parse(String text) {
        byte[] bytes = text.indexOf(':') >= 0 ? v6(text) : v4(text);
        return bytes == null ? null : new IpAddress(bytes);
    }

    /** The network that a text such as {@code 10.0.0.0/8} is; null where it is none. */
    public static @Nullable Network network(String text) {
        int slash = text.indexOf('/');
        IpAddress address = slash < 0 ? null : parse(text.substring(0, slash));
        int bits = slash < 0 ? -1 : decimal(text.substring(slash + 1), 3);
        return address == null || bits < 0 || bits > address.bytes.length * 8 ? null : new Network(address, bits);
    }

    /** A number without a sign or leading zeros; negative where the text is none. */
    private static int decimal(String text, int maxDigits) {
        boolean form = !text.isEmpty()
                && text.length() <= maxDigits
                && text.chars().allMatch(c -> c >= '0' && c <= '9')
                && (text.length() == 1 || text.charAt(0) != '0');
        return form ? Integer.parseInt(text) : -1;
    }

    private static byte @Nullable [] v4(String text) {
        String[] octets = text.split("\\.", -1);
        if (octets.length != V4_BYTES) {
            return null;
        }
        var bytes = new byte[V4_BYTES];
        for (int i = 0; i < V4_BYTES; i++) {
            int octet = decimal(octets[i], 3);
            if (octet < 0 || octet > 255) {
                return null;
            }
            bytes[i] = (byte) octet;
        }
        return bytes;
    }

    private static byte @Nullable [] v6(String text) {
        int gap = text.indexOf("::");
        if (gap >= 0 && text.indexOf("::", gap + 1) >= 0) {
            return null;
        }
        int[] before = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        int[] after = gap < 0 ? new int[0] : groups(text.substring(gap + 2), true);
        if (before == null || after == null) {
            return null;
        }
        int given = before.length + after.length;
        if (gap < 0 ? given != GROUPS : given >= GROUPS) {
            return null;
        }
        var bytes = new byte[V6_BYTES];
        put(before, bytes, 0);
        put(after, bytes, V6_BYTES - 2 * after.length);
        return bytes;
    }

    private static void put(int[] groups, byte[] to, int at) {
        for (int i = 0; i < groups.length; i++) {
            to[at + 2 * i] = (byte) (groups[i] >> 8);
            to[at + 2 * i + 1] = (byte) groups[i];
        }
    }

    /** The groups of 16 bits that a part has; null where one is malformed. The last may be two, written as IPv4. */
    private static int @Nullable [] groups(String part, boolean last) {
        if (part.isEmpty()) {
            return new int[0];
        }
        String[] texts = part.split(":", -1);
        byte[] v4 = last ? v4(texts[texts.length - 1]) : null;
        int count = v4 == null ? texts.length : texts.length - 1;
        if (count > GROUPS) {
            return null;
        }
        var groups = new int[v4 == null ? count : count + 2];
        for (int i = 0; i < count; i++) {
            if (!texts[i].matches("[0-9a-fA-F]{1,4}")) {
                return null;
            }
            groups[i] = Integer.parseInt(texts[i], 16);
        }
        if (v4 != null) {
            groups[count] = (v4[0] & 255) << 8 | (v4[1] & 255);
            groups[count + 1] = (v4[2] & 255) << 8 | (v4[3] & 255);
        }
        return groups;
    }

    /** 4 or 6. */
    public int family() {
        return bytes.length == V4_BYTES ? 4 : 6;
    }

    private boolean isV4() {
        return bytes.length == V4_BYTES;
    }

    private IpAddress masked(int bits) {
        var masked = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            int kept = Math.clamp(bits - 8L * i, 0, 8);
            masked[i] = (byte) (bytes[i] & (0xff00 >> kept));
        }
        return new IpAddress(masked);
    }

    public boolean isUnspecified() {
        return new BigInteger(bytes).signum() == 0;
    }

    public boolean isLoopback() {
        return isV4() ? bytes[0] == 127 : new BigInteger(bytes).equals(BigInteger.ONE);
    }

    public boolean isLinkLocalMulticast() {
        return isV4()
                ? (bytes[0] & 255) == 224 && bytes[1] == 0 && bytes[2] == 0
                : (bytes[0] & 255) == 0xff && (bytes[1] & 0x0f) == 2;
    }

    public boolean isLinkLocalUnicast() {
        return isV4()
                ? (bytes[0] & 255) == 169 && (bytes[1] & 255) == 254
                : (bytes[0] & 255) == 0xfe && (bytes[1] & 0xc0) == 0x80;
    }

    private boolean isMulticast() {
        return isV4() ? (bytes[0] & 0xf0) == 0xe0 : (bytes[0] & 255) == 0xff;
    }

    public boolean isGlobalUnicast() {
        boolean broadcast = isV4() && new BigInteger(bytes).intValue() == -1;
        return !broadcast && !isUnspecified() && !isLoopback() && !isMulticast() && !isLinkLocalUnicast();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IpAddress address && Arrays.equals(bytes, address.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** The canonical text; of IPv6 that of RFC 5952. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        if (isV4()) {
            for (byte octet : bytes) {
                text.append(text.isEmpty() ? "" : ".").append(octet & 255);
            }
            return text.toString();
        }
        int gapAt = -1;
        int gap = 1;
        for (int i = 0; i < GROUPS; i++) {
            int zeros = 0;
            while (i + zeros < GROUPS && group(i + zeros) == 0) {
                zeros++;
            }
            if (zeros > gap) {
                gap = zeros;
                gapAt = i;
            }
        }
        for (int i = 0; i < GROUPS; i++) {
            if (i == gapAt) {
                text.append("::");
                i += gap - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(group(i)));
        }
        return text.toString();
    }

    private int group(int index) {
        return (bytes[2 * index] & 255) << 8 | (bytes[2 * index + 1] & 255);
    }
}
