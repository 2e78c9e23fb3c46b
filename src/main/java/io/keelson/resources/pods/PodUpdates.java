package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Map;

/** What of a pod's spec may still change: images, a deadline that comes nearer, more tolerations, lifted gates. */
final class PodUpdates {
    private static final String REFUSED = "pod updates may not change fields other than"
            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
            + "`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds`"
            + " (allow it to be set to 1 if it was previously negative)";

    private PodUpdates() {}

    static void check(Faults faults, JsonNode spec, JsonNode old) {
        if (spec instanceof ObjectNode now && old instanceof ObjectNode before && !now.equals(before)) {
            checkChanged(faults, now, before);
        }
    }

    private static void checkChanged(Faults faults, ObjectNode spec, ObjectNode old) {
        for (String list : PodSpecs.CONTAINERS) {
            if (spec.path(list).size() != old.path(list).size()) {
                faults.forbidden("spec." + list, "pod updates may not add or remove containers");
                return;
            }
        }
        checkDeadline(faults, spec.path("activeDeadlineSeconds"), old.path("activeDeadlineSeconds"));
        checkTolerations(faults, spec.path("tolerations"), old.path("tolerations"));
        ObjectNode alike = spec.deepCopy();
        takeBack(alike, old);
        if (!alike.equals(old)) {
            faults.forbidden("spec", REFUSED + changed(alike, old));
        }
    }

    private static void checkDeadline(Faults faults, JsonNode deadline, JsonNode old) {
        if (old.isNumber() && !deadline.isNumber()) {
            faults.invalid("spec.activeDeadlineSeconds", null, "must not update from a positive integer to nil value");
        } else if (old.isNumber() && deadline.asLong() > old.asLong()) {
            faults.invalid(
                    "spec.activeDeadlineSeconds",
                    deadline,
                    "must be less than or equal to previous value " + old.asLong());
        }
    }

    private static void checkTolerations(Faults faults, JsonNode tolerations, JsonNode old) {
        List<ObjectNode> now = Trees.objects(tolerations);
        for (ObjectNode toleration : Trees.objects(old)) {
            if (now.stream().noneMatch(one -> withoutSeconds(one).equals(withoutSeconds(toleration)))) {
                faults.forbidden(
                        "spec.tolerations", "existing toleration can not be modified except its tolerationSeconds");
                return;
            }
        }
    }

    private static ObjectNode withoutSeconds(ObjectNode toleration) {
        return toleration.deepCopy().without("tolerationSeconds");
    }

    /** Gives the fields that may change their old values, so that the rest can be compared. */
    private static void takeBack(ObjectNode spec, ObjectNode old) {
        for (String list : PodSpecs.CONTAINERS) {
            for (int i = 0; i < spec.path(list).size(); i++) {
                if (spec.path(list).path(i) instanceof ObjectNode container
                        && old.path(list).path(i) instanceof ObjectNode oldContainer) {
                    copy(oldContainer, container, "image");
                }
            }
        }
        copy(old, spec, "activeDeadlineSeconds");
        copy(old, spec, "tolerations");
        if (spec.path("schedulingGates").size() < old.path("schedulingGates").size()) {
            copy(old, spec, "schedulingGates");
        }
        if (old.path("terminationGracePeriodSeconds").asLong() < 0
                && spec.path("terminationGracePeriodSeconds").asLong() == 1) {
            copy(old, spec, "terminationGracePeriodSeconds");
        }
    }

    private static void copy(ObjectNode from, ObjectNode to, String field) {
        if (from.has(field)) {
            to.set(field, from.get(field));
        } else {
            to.remove(field);
        }
    }

    private static String changed(ObjectNode spec, ObjectNode old) {
        var all = spec.deepCopy();
        old.properties().forEach(field -> all.putIfAbsent(field.getKey(), field.getValue()));
        var names = all.propertyStream()
                .map(Map.Entry::getKey)
                .filter(name -> !spec.path(name).equals(old.path(name)))
                .toList();
        return "\nchanged: " + String.join(", ", names);
    }
}
