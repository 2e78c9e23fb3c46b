package io.keelson.registry;

/**
 * Where a kind keeps what its scale subresource shows, as dotted paths.
 *
 * @param selector the path of a label selector, as an object or a text; empty where there is none
 */
public record ScalePaths(String specReplicas, String statusReplicas, String selector) {
    /** Where the workload kinds of apps/v1 keep it. */
    public static final ScalePaths WORKLOAD = new ScalePaths("spec.replicas", "status.replicas", "spec.selector");
}
