package io.keelson.resources.fields;

import io.keelson.api.Names;

/** Host names as rules and certificates carry them. */
public final class Hosts {
    private static final String WILDCARD = "*.";

    private Hosts() {}

    /** A DNS name, which may begin with a label of one star; empty means any host. */
    public static void check(Faults faults, String field, String host) {
        if (host.isEmpty()) {
            return;
        }
        if (IpAddresses.isValid(host)) {
            faults.invalid(field, host, "must be a DNS name, not an IP address");
        } else if (!host.contains("*")) {
            faults.rule(field, host, Names::subdomain);
        } else if (!host.startsWith(WILDCARD)
                || !Names.subdomain(host.substring(WILDCARD.length())).isEmpty()) {
            faults.invalid(
                    field,
                    host,
                    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must"
                            + " consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric"
                            + " character (e.g. '*.example.com')");
        }
    }
}
