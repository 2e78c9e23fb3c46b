package io.keelson.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.resources.core.ServiceAllocator;
import io.keelson.resources.scheduling.PriorityClasses;
import java.util.ArrayList;
import java.util.List;

/** The objects that a new cluster has, which users' manifests refer to. */
public final class FirstObjects {
    private static final List<String> NAMESPACES = List.of("default", "kube-system", "kube-public", "kube-node-lease");

    private FirstObjects() {}

    /** All objects, each with its type; those whose kinds are not served are left to the caller to leave out. */
    public static List<ObjectNode> all() {
        var all = new ArrayList<ObjectNode>();
        NAMESPACES.forEach(name -> all.add(object("v1", "Namespace", name)));
        PriorityClasses.SYSTEM.forEach((name, value) -> {
            ObjectNode priority = object("scheduling.k8s.io/v1", "PriorityClass", name);
            all.add(priority.put("value", value)
                    .put(
                            "description",
                            "Used for system critical pods that must not be moved from their current "
                                    + (name.contains("node") ? "node." : "cluster.")));
        });
        ObjectNode range = object("networking.k8s.io/v1", "ServiceCIDR", "kubernetes");
        range.putObject("spec").putArray("cidrs").add(ServiceAllocator.RANGE);
        all.add(range);
        return all;
    }

    private static ObjectNode object(String apiVersion, String kind, String name) {
        ObjectNode object = Json.object().put("apiVersion", apiVersion).put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }
}
