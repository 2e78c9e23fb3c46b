package io.keelson.server;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Where the server may listen without TLS and authentication: on this machine only, unless it is told otherwise. */
final class ListenPolicy {
    private ListenPolicy() {}

    static void check(KeelsonConfig config) {
        if (!isLoopback(config.host()) && !config.insecure()) {
            throw new StartupException(
                    StartupException.BAD_SETTING,
                    "keelson.host is " + config.host()
                            + ", which other machines can reach, and there is neither TLS nor"
                            + " authentication. Set keelson.insecure=true (KEELSON_INSECURE=true) where the network"
                            + " itself keeps strangers out, or leave keelson.host at 127.0.0.1.",
                    null);
        }
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new StartupException(
                    StartupException.BAD_SETTING,
                    "keelson.host is " + host + ", which is no address of this machine",
                    e);
        }
    }
}
