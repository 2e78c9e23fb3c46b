package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** What is wrong with the rights that a pod and its containers ask for. Stateless. */
final class SecurityRules {
    private static final Pattern SYSCTL =
            Pattern.compile("([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?");
    private static final int MAX_SYSCTL = 253;

    private SecurityRules() {}

    static void checkPod(Faults faults, String at, JsonNode context) {
        for (String field : List.of("runAsUser", "runAsGroup", "fsGroup")) {
            checkId(faults, at + "." + field, context.path(field));
        }
        int i = 0;
        for (JsonNode group : context.path("supplementalGroups")) {
            checkId(faults, at + ".supplementalGroups[" + i++ + "]", group);
        }
        checkSysctls(faults, at + ".sysctls", context.path("sysctls"));
        checkSeccomp(faults, at + ".seccompProfile", context.path("seccompProfile"));
    }

    static void checkContainer(Faults faults, String at, JsonNode context) {
        for (String field : List.of("runAsUser", "runAsGroup")) {
            checkId(faults, at + "." + field, context.path(field));
        }
        checkSeccomp(faults, at + ".seccompProfile", context.path("seccompProfile"));
        JsonNode escalation = context.path("allowPrivilegeEscalation");
        if (escalation.isBoolean() && !escalation.booleanValue()) {
            if (context.path("privileged").asBoolean()) {
                faults.invalid(at, context, "cannot set `allowPrivilegeEscalation` to false and `privileged` to true");
            }
            if (Trees.texts(Trees.at(context, "capabilities", "add")).contains("CAP_SYS_ADMIN")) {
                faults.invalid(
                        at,
                        context,
                        "cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN");
            }
        }
    }

    private static void checkId(Faults faults, String field, JsonNode id) {
        if (id.isNumber() && (id.asLong() < 0 || id.asLong() > Integer.MAX_VALUE)) {
            faults.invalid(field, id, "must be between 0 and 2147483647, inclusive");
        }
    }

    private static void checkSysctls(Faults faults, String path, JsonNode sysctls) {
        Set<String> names = new HashSet<>();
        int i = 0;
        for (JsonNode sysctl : sysctls) {
            String field = path + "[" + i++ + "].name";
            String name = Trees.text(sysctl, "name");
            if (name.isEmpty()) {
                faults.required(field, "");
            } else if (name.length() > MAX_SYSCTL || !SYSCTL.matcher(name).matches()) {
                faults.invalid(field, name, "must have at most 253 characters and match regex " + SYSCTL.pattern());
            } else if (!names.add(name.replace('/', '.'))) {
                faults.duplicate(field, name);
            }
        }
    }

    private static void checkSeccomp(Faults faults, String at, JsonNode profile) {
        if (!profile.isObject()) {
            return;
        }
        String type = Trees.text(profile, "type");
        if (type.isEmpty()) {
            faults.required(at + ".type", "type is required when seccompProfile is set");
        }
        if (type.equals("Localhost")) {
            if (!profile.has("localhostProfile")) {
                faults.required(at + ".localhostProfile", "must be set when seccomp type is Localhost");
            }
        } else if (profile.has("localhostProfile")) {
            faults.invalid(
                    at + ".localhostProfile",
                    profile.path("localhostProfile"),
                    "can only be set when seccomp type is Localhost");
        }
    }
}
