package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.util.ArrayList;
import java.util.List;

/** How firmly a pod has its processor and memory: what decides who goes first when a node runs short. */
final class QosClass {
    private static final List<String> COUNTED = List.of("cpu", "memory");

    private QosClass() {}

    static String of(JsonNode spec) {
        var containers = new ArrayList<ObjectNode>();
        PodSpecs.CONTAINERS.forEach(list -> containers.addAll(Trees.objects(spec.path(list))));
        boolean anything = false;
        boolean guaranteed = true;
        for (ObjectNode container : containers) {
            JsonNode resources = container.path("resources");
            for (String resource : COUNTED) {
                var limit = Quantities.valueOrZero(resources.path("limits").path(resource));
                var request = Quantities.valueOrZero(resources.path("requests").path(resource));
                anything |= limit.signum() > 0 || request.signum() > 0;
                guaranteed &= limit.signum() > 0 && limit.compareTo(request) == 0;
            }
        }
        if (!anything) {
            return "BestEffort";
        }
        return guaranteed ? "Guaranteed" : "Burstable";
    }
}
