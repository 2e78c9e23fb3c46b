package io.keelson.endpoints;

/** Hears of every API request when it is over. Thread-safe and quick. */
@FunctionalInterface
public interface RequestObserver {
    /**
     * One request to a resource.
     *
     * @param verb such as {@code LIST}, as kube-apiserver's metrics name it
     * @param scope {@code resource}, {@code namespace} or {@code cluster}
     * @param nanos how long it took, for a watch until it ended
     */
    record Observation(
            String verb,
            String group,
            String version,
            String resource,
            String subresource,
            String scope,
            int code,
            long nanos) {}

    void observe(Observation observation);
}
