package io.keelson.resources;

import io.keelson.registry.NamespaceFinalizeRest;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RestStorage;
import io.keelson.resources.certificates.CertificateSigningRequests;
import io.keelson.resources.pods.BindingRest;
import io.keelson.resources.pods.EvictionRest;
import io.keelson.resources.pods.PodPartRest;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The subresources of the built-in kinds, beside {@code status} and {@code scale}. Stateless. */
public final class BuiltinSubresources {
    private static final Set<String> ALL_METHODS = Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
    private static final Set<String> STREAM = Set.of("GET", "POST");
    private static final String NOTHING_RUNS =
            "this server stores objects and runs nothing; there is no kubelet to ask";
    private static final String NO_NETWORK =
            "this server stores objects and runs nothing; there is no network behind it";

    private BuiltinSubresources() {}

    /**
     * The subresources of a resource by name.
     *
     * @param budgets the store of pod disruption budgets; gives null where they are not served
     */
    public static Map<String, RestStorage> of(RegistryStore store, Supplier<@Nullable RegistryStore> budgets) {
        return switch (store.definition().resource().toString()) {
            case "namespaces" -> Map.of("finalize", new NamespaceFinalizeRest(store));
            case "nodes" -> Map.of("proxy", new UnservedRest(store, "proxy", ALL_METHODS, NOTHING_RUNS));
            case "services" -> Map.of("proxy", new UnservedRest(store, "proxy", ALL_METHODS, NO_NETWORK));
            case "serviceaccounts" ->
                Map.of("token", new UnservedRest(store, "token", Set.of("POST"), "this server issues no tokens"));
            case "certificatesigningrequests.certificates.k8s.io" ->
                Map.of("approval", CertificateSigningRequests.approval(store));
            case "pods" -> ofPods(store, budgets);
            default -> Map.of();
        };
    }

    private static Map<String, RestStorage> ofPods(RegistryStore pods, Supplier<@Nullable RegistryStore> budgets) {
        return Map.of(
                "binding", new BindingRest(pods, pods.definition()),
                "eviction", new EvictionRest(pods, budgets),
                "ephemeralcontainers", PodPartRest.ephemeralContainers(pods),
                "resize", PodPartRest.resize(pods),
                "log", new UnservedRest(pods, "log", Set.of("GET", "HEAD"), NOTHING_RUNS),
                "exec", new UnservedRest(pods, "exec", STREAM, NOTHING_RUNS),
                "attach", new UnservedRest(pods, "attach", STREAM, NOTHING_RUNS),
                "portforward", new UnservedRest(pods, "portforward", STREAM, NOTHING_RUNS),
                "proxy", new UnservedRest(pods, "proxy", ALL_METHODS, NOTHING_RUNS));
    }
}
