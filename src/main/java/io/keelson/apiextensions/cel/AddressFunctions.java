package io.keelson.apiextensions.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.keelson.apiextensions.cel.Functions.Param;
import io.keelson.apiextensions.structural.IpAddress;
import java.util.function.Function;

/** The types of IP addresses and of CIDR networks, and their functions. */
final class AddressFunctions {
    private static final CelType IP = OpaqueType.create("net.IP");
    private static final CelType CIDR = OpaqueType.create("net.CIDR");

    private AddressFunctions() {}

    static void addTo(Functions functions) {
        addresses(functions);
        networks(functions);
    }

    private static void addresses(Functions functions) {
        Param ip = new Param(IP, IpAddress.class);
        functions.global(
                "isIP", "is_ip", SimpleType.BOOL, args -> IpAddress.parse((String) args[0]) != null, Param.TEXT);
        functions.global("ip", "string_to_ip", IP, args -> address((String) args[0]), Param.TEXT);
        functions.global(
                "ip.isCanonical",
                "ip_is_canonical",
                SimpleType.BOOL,
                args -> address((String) args[0]).toString().equals(args[0]),
                Param.TEXT);
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
            throw new IllegalArgumentException(
                    "IP Address \"" + text + "\" parse error during conversion from string: unable to parse IP");
        }
        return address;
    }

    private static void networks(Functions functions) {
        Param cidr = new Param(CIDR, IpAddress.Network.class);
        Param ip = new Param(IP, IpAddress.class);
        functions.global(
                "isCIDR", "is_cidr", SimpleType.BOOL, args -> IpAddress.network((String) args[0]) != null, Param.TEXT);
        functions.global("cidr", "string_to_cidr", CIDR, args -> network((String) args[0]), Param.TEXT);
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
                Param.TEXT);
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
                Param.TEXT);
    }

    private static IpAddress.Network network(String text) {
        IpAddress.Network network = IpAddress.network(text);
        if (network == null) {
            throw new IllegalArgumentException(
                    "network address parse error during conversion from string: invalid CIDR \"" + text + "\"");
        }
        return network;
    }
}
