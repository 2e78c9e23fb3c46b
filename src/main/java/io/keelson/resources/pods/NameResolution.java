package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.IpAddresses;
import io.keelson.resources.fields.Trees;

/** What is wrong with how a pod finds others by name: host aliases and DNS settings. Stateless. */
final class NameResolution {
    private static final int MAX_NAME_SERVERS = 3;
    private static final int MAX_SEARCH_PATHS = 32;

    private NameResolution() {}

    static void check(Faults faults, String path, JsonNode spec) {
        int i = 0;
        for (ObjectNode alias : Trees.objects(spec.path("hostAliases"))) {
            String at = path + ".hostAliases[" + i++ + "]";
            IpAddresses.check(faults, at + ".ip", Trees.text(alias, "ip"));
            for (String name : Trees.texts(alias.path("hostnames"))) {
                faults.rule(at + ".hostnames", name, Names::subdomain);
            }
        }
        JsonNode config = spec.path("dnsConfig");
        String at = path + ".dnsConfig";
        JsonNode servers = config.path("nameservers");
        if (Trees.text(spec, "dnsPolicy").equals("None") && servers.isEmpty()) {
            String detail = "must provide at least one DNS nameserver when `dnsPolicy` is None";
            faults.required(config.isObject() ? at + ".nameservers" : at, detail);
        }
        if (servers.size() > MAX_NAME_SERVERS) {
            faults.invalid(at + ".nameservers", servers, "must not have more than 3 nameservers");
        }
        i = 0;
        for (String server : Trees.texts(servers)) {
            IpAddresses.check(faults, at + ".nameservers[" + i++ + "]", server);
        }
        if (config.path("searches").size() > MAX_SEARCH_PATHS) {
            faults.invalid(at + ".searches", config.path("searches"), "must not have more than 32 search paths");
        }
        i = 0;
        for (ObjectNode option : Trees.objects(config.path("options"))) {
            faults.present(at + ".options[" + i++ + "]", option.path("name"));
        }
    }
}
