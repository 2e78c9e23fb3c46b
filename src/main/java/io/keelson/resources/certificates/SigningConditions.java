package io.keelson.resources.certificates;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.RequestContext;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What may change in the status of a certificate signing request: the approval by who approves, all else by who signs. What was
 * decided stays decided.
 */
final class SigningConditions {
    private static final String APPROVED = "Approved";
    private static final String DENIED = "Denied";
    private static final List<String> DECISIONS = List.of(APPROVED, DENIED);
    private static final List<String> LASTING = List.of(APPROVED, DENIED, "Failed");
    private static final List<String> STATES = List.of("False", "True", "Unknown");
    private static final String FIELD = "status.conditions";

    private SigningConditions() {}

    /** The approver does not touch the certificate. */
    static void prepareApproval(RequestContext context, ObjectNode request, ObjectNode old) {
        ObjectNode status = Trees.child(request, "status");
        JsonNode certificate = Trees.at(old, "status", "certificate");
        if (certificate.isMissingNode()) {
            status.remove("certificate");
        } else {
            status.set("certificate", certificate);
        }
        fillTimes(context, request, old);
    }

    /** The signer does not touch the approval, which it need not repeat. */
    static void prepareStatus(RequestContext context, ObjectNode request, ObjectNode old) {
        ArrayNode conditions = Trees.list(Trees.child(request, "status"), "conditions");
        for (String decision : DECISIONS) {
            if (find(request, decision).isEmpty()) {
                find(old, decision).ifPresent(condition -> conditions.add(condition.deepCopy()));
            }
        }
        if (conditions.isEmpty()) {
            Trees.child(request, "status").remove("conditions");
        }
        fillTimes(context, request, old);
    }

    private static void fillTimes(RequestContext context, ObjectNode request, ObjectNode old) {
        String now = context.now().truncatedTo(ChronoUnit.SECONDS).toString();
        for (ObjectNode condition : conditions(request)) {
            if (!condition.hasNonNull("lastUpdateTime")) {
                condition.put("lastUpdateTime", now);
            }
            if (!condition.hasNonNull("lastTransitionTime")) {
                String since = find(old, Trees.text(condition, "type"))
                        .filter(before -> before.path("status").equals(condition.path("status")))
                        .map(before -> Trees.text(before, "lastTransitionTime"))
                        .filter(time -> !time.isEmpty())
                        .orElse(now);
                condition.put("lastTransitionTime", since);
            }
        }
    }

    private static List<ObjectNode> conditions(ObjectNode request) {
        return Trees.objects(Trees.at(request, "status", "conditions"));
    }

    private static Optional<ObjectNode> find(ObjectNode request, String type) {
        return conditions(request).stream()
                .filter(condition -> Trees.text(condition, "type").equals(type))
                .findFirst();
    }

    static void checkApproval(Faults faults, ObjectNode request, ObjectNode old) {
        check(faults, request);
        for (String type : LASTING) {
            checkKept(faults, request, old, type);
        }
    }

    static void checkStatus(Faults faults, ObjectNode request, ObjectNode old) {
        checkApproval(faults, request, old);
        for (String decision : DECISIONS) {
            if (find(old, decision).isEmpty() && find(request, decision).isPresent()) {
                faults.forbidden(FIELD, "updates may not add a condition of type \"" + decision + "\"");
            }
        }
        JsonNode before = Trees.at(old, "status", "certificate");
        if (!before.isMissingNode() && !before.equals(Trees.at(request, "status", "certificate"))) {
            faults.forbidden("status.certificate", "updates may not modify existing certificate content");
        }
    }

    private static void checkKept(Faults faults, ObjectNode request, ObjectNode old, String type) {
        Optional<ObjectNode> before = find(old, type);
        Optional<ObjectNode> now = find(request, type);
        if (before.isPresent() && now.isEmpty()) {
            faults.forbidden(FIELD, "updates may not remove a condition of type \"" + type + "\"");
        } else if (before.isPresent() && DECISIONS.contains(type) && !now.equals(before)) {
            faults.forbidden(FIELD, "updates may not modify a condition of type \"" + type + "\"");
        }
    }

    private static void check(Faults faults, ObjectNode request) {
        Set<String> seen = new HashSet<>();
        int i = 0;
        for (ObjectNode condition : conditions(request)) {
            String field = FIELD + "[" + i++ + "]";
            String type = Trees.text(condition, "type");
            faults.present(field + ".type", condition.path("type"));
            faults.oneOf(
                    field + ".status", condition.path("status"), LASTING.contains(type) ? List.of("True") : STATES);
            if (DECISIONS.contains(type) && seen.contains(type.equals(APPROVED) ? DENIED : APPROVED)) {
                faults.invalid(field + ".type", type, "Approved and Denied conditions are mutually exclusive");
            }
            if (!seen.add(type)) {
                faults.duplicate(field + ".type", type);
            }
        }
    }
}
