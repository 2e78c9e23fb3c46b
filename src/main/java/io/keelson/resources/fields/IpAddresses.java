package io.keelson.resources.fields;

import java.util.regex.Pattern;

/** IP addresses as fields carry them. No name is ever looked up. */
public final class IpAddresses {
    private static final String OCTET = "(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final Pattern IPV4 = Pattern.compile(OCTET + "(\\." + OCTET + "){3}");
    private static final Pattern IPV6 = Pattern.compile("(?=.*:.*:)[0-9a-fA-F:]{2,39}(\\d+\\.\\d+\\.\\d+\\.\\d+)?");

    private IpAddresses() {}

    public static boolean isIpv4(String text) {
        return IPV4.matcher(text).matches();
    }

    /** Whether a text is an address of either family; of an IPv6 one only the alphabet is judged. */
    public static boolean isValid(String text) {
        return isIpv4(text) || IPV6.matcher(text).matches();
    }

    public static void check(Faults faults, String field, String text) {
        if (!isValid(text)) {
            faults.invalid(field, text, "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
        }
    }

    /** An address that can be reached from elsewhere. Of IPv6 ones only the best known are told apart. */
    public static void checkReachable(Faults faults, String field, String text) {
        if (text.equals("0.0.0.0") || text.equals("::")) {
            faults.invalid(field, text, "may not be unspecified (" + text + ")");
        } else if (text.startsWith("127.") || text.equals("::1")) {
            faults.invalid(field, text, "may not be in the loopback range (127.0.0.0/8, ::1/128)");
        } else if (text.startsWith("169.254.") || text.startsWith("fe80:")) {
            faults.invalid(field, text, "may not be in the link-local range (169.254.0.0/16, fe80::/10)");
        } else if (text.startsWith("224.0.0.") || text.startsWith("ff02:")) {
            faults.invalid(field, text, "may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
        }
    }

    /** Address and port as one text, an IPv6 address in brackets. */
    public static String withPort(String address, String port) {
        return (address.indexOf(':') >= 0 ? "[" + address + "]" : address) + ":" + port;
    }

    /** An IPv4 address as a number. */
    public static long toNumber(String ipv4) {
        long number = 0;
        for (String octet : ipv4.split("\\.", -1)) {
            number = (number << 8) | Integer.parseInt(octet);
        }
        return number;
    }

    /** The IPv4 address that a number stands for. */
    public static String toText(long number) {
        return (number >> 24) + "." + ((number >> 16) & 255) + "." + ((number >> 8) & 255) + "." + (number & 255);
    }
}
