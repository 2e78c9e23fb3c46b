package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.math.BigDecimal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What is wrong with what containers ask for and may use. Stateless. */
final class ContainerResources {
    private static final Set<String> STANDARD = Set.of("cpu", "memory", "ephemeral-storage");
    private static final String HUGE_PAGES = "hugepages-";
    private static final List<String> RESIZABLE = List.of("cpu", "memory");
    private static final List<String> RESTARTS = List.of("NotRequired", "RestartContainer");

    private ContainerResources() {}

    /** @param claims names of the claims of the pod */
    static void check(Faults faults, String at, JsonNode resources, Set<String> claims) {
        JsonNode limits = resources.path("limits");
        JsonNode requests = resources.path("requests");
        checkAmounts(faults, at + ".limits", limits);
        checkAmounts(faults, at + ".requests", requests);
        for (var request : requests.properties()) {
            checkRequest(faults, at, request.getKey(), request.getValue(), limits.path(request.getKey()));
        }
        boolean pages = limits.propertyStream().anyMatch(one -> one.getKey().startsWith(HUGE_PAGES))
                || requests.propertyStream().anyMatch(one -> one.getKey().startsWith(HUGE_PAGES));
        boolean usual = RESIZABLE.stream().anyMatch(one -> limits.has(one) || requests.has(one));
        if (pages && !usual) {
            faults.forbidden(at, "HugePages require cpu or memory");
        }
        checkClaims(faults, at + ".claims", resources.path("claims"), claims);
    }

    private static void checkRequest(Faults faults, String at, String name, JsonNode request, JsonNode limit) {
        BigDecimal asked = Quantities.value(request);
        BigDecimal most = Quantities.value(limit);
        boolean whole = isExtended(name) || name.startsWith(HUGE_PAGES);
        if (most == null) {
            if (whole) {
                faults.required(at + ".limits", "Limit must be set for non overcommitable resources");
            }
        } else if (asked != null && whole && asked.compareTo(most) != 0) {
            faults.invalid(at + ".requests", request, "must be equal to " + name + " limit of " + limit.asText());
        } else if (asked != null && !whole && asked.compareTo(most) > 0) {
            faults.invalid(
                    at + ".requests", request, "must be less than or equal to " + name + " limit of " + limit.asText());
        }
    }

    private static boolean isExtended(String name) {
        return name.indexOf('/') >= 0;
    }

    private static void checkAmounts(Faults faults, String path, JsonNode amounts) {
        for (var amount : amounts.properties()) {
            String name = amount.getKey();
            String at = path + "[" + name + "]";
            faults.rule(at, name, Names::labelKey);
            if (!isExtended(name) && !STANDARD.contains(name) && !name.startsWith(HUGE_PAGES)) {
                faults.invalid(at, name, "must be a standard resource for containers");
            }
            BigDecimal value = Quantities.valueOrZero(amount.getValue());
            if (value.signum() < 0) {
                faults.invalid(at, amount.getValue(), "must be greater than or equal to 0");
            }
            if (isExtended(name) && value.stripTrailingZeros().scale() > 0) {
                faults.invalid(at, amount.getValue(), "must be an integer");
            }
        }
    }

    private static void checkClaims(Faults faults, String path, JsonNode list, Set<String> claims) {
        Set<String> seen = new HashSet<>();
        int i = 0;
        for (ObjectNode claim : Trees.objects(list)) {
            String at = path + "[" + i++ + "]";
            String name = Trees.text(claim, "name");
            if (name.isEmpty()) {
                faults.required(at + ".name", "");
            } else if (!seen.add(name + "/" + Trees.text(claim, "request"))) {
                faults.duplicate(at, name);
            } else if (!claims.contains(name)) {
                faults.notFound(at + ".name", name);
            }
        }
    }

    /** What a change of the resources of a container does to it. */
    static void checkPolicies(Faults faults, String path, JsonNode policies) {
        Set<String> seen = new HashSet<>();
        int i = 0;
        for (ObjectNode policy : Trees.objects(policies)) {
            String at = path + "[" + i++ + "]";
            String name = Trees.text(policy, "resourceName");
            if (!name.isEmpty() && !seen.add(name)) {
                faults.duplicate(at, name);
            }
            faults.oneOf(at + ".resourceName", policy.path("resourceName"), RESIZABLE);
            faults.oneOf(at + ".restartPolicy", policy.path("restartPolicy"), RESTARTS);
        }
    }
}
