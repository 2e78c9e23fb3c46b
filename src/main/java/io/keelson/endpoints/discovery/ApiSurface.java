package io.keelson.endpoints.discovery;

import io.keelson.api.GroupResource;
import io.keelson.api.GroupVersionKind;
import io.keelson.registry.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Which verbs and subresources a resource is served with, beyond what its definition says. The one place to declare a
 * subresource that is neither {@code status} nor {@code scale}. Stateless.
 */
public final class ApiSurface {
    /** The type of every {@code scale} subresource. */
    public static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");

    private static final List<String> ALL_VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "update", "watch");
    /** The same for custom resources, in the order in which kube-apiserver tells them. */
    private static final List<String> CUSTOM_VERBS =
            List.of("delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");

    private static final List<String> PART_VERBS = List.of("get", "patch", "update");

    private static final List<String> PROXY_VERBS = List.of("create", "delete", "get", "patch", "update");
    private static final List<String> STREAM_VERBS = List.of("create", "get");
    private static final List<String> CREATE = List.of("create");

    private static final GroupVersionKind CERTIFICATES =
            new GroupVersionKind("certificates.k8s.io", "v1", "CertificateSigningRequest");

    /** The resources that are served with other verbs than most. */
    private static final Map<GroupResource, List<String>> VERBS = Map.of(
            core("namespaces"),
            ALL_VERBS.stream().filter(verb -> !verb.equals("deletecollection")).toList(),
            core("componentstatuses"),
            List.of("get", "list"),
            core("bindings"),
            CREATE,
            new GroupResource("authentication.k8s.io", "selfsubjectreviews"),
            CREATE,
            new GroupResource("authentication.k8s.io", "tokenreviews"),
            CREATE,
            new GroupResource("authorization.k8s.io", "localsubjectaccessreviews"),
            CREATE,
            new GroupResource("authorization.k8s.io", "selfsubjectaccessreviews"),
            CREATE,
            new GroupResource("authorization.k8s.io", "selfsubjectrulesreviews"),
            CREATE,
            new GroupResource("authorization.k8s.io", "subjectaccessreviews"),
            CREATE);

    /** Subresources of single kinds. */
    private static final Map<GroupResource, List<Subresource>> EXTRA = Map.of(
            core("namespaces"),
            List.of(part("finalize", "Namespace", List.of("update"))),
            core("nodes"),
            List.of(part("proxy", "NodeProxyOptions", PROXY_VERBS)),
            new GroupResource(CERTIFICATES.group(), "certificatesigningrequests"),
            List.of(new Subresource("approval", CERTIFICATES, PART_VERBS)),
            core("services"),
            List.of(part("proxy", "ServiceProxyOptions", PROXY_VERBS)),
            core("serviceaccounts"),
            List.of(new Subresource(
                    "token", new GroupVersionKind("authentication.k8s.io", "v1", "TokenRequest"), CREATE)),
            core("pods"),
            List.of(
                    part("attach", "PodAttachOptions", STREAM_VERBS),
                    part("binding", "Binding", CREATE),
                    part("ephemeralcontainers", "Pod", PART_VERBS),
                    new Subresource("eviction", new GroupVersionKind("policy", "v1", "Eviction"), CREATE),
                    part("exec", "PodExecOptions", STREAM_VERBS),
                    part("log", "Pod", List.of("get")),
                    part("portforward", "PodPortForwardOptions", STREAM_VERBS),
                    part("proxy", "PodProxyOptions", PROXY_VERBS),
                    part("resize", "Pod", PART_VERBS)));

    private ApiSurface() {}

    private static GroupResource core(String resource) {
        return new GroupResource("", resource);
    }

    private static Subresource part(String name, String kind, List<String> verbs) {
        return new Subresource(name, new GroupVersionKind("", "v1", kind), verbs);
    }

    /** The verbs on the objects of a resource, in alphabetical order but for custom resources. */
    public static List<String> verbs(ResourceDefinition resource) {
        if (resource.isCustom()) {
            return CUSTOM_VERBS;
        }
        return VERBS.getOrDefault(resource.resource(), ALL_VERBS);
    }

    /** The subresources of a resource, in alphabetical order but for custom resources, whose status comes first. */
    public static List<Subresource> subresources(ResourceDefinition resource) {
        var all = new ArrayList<>(EXTRA.getOrDefault(resource.resource(), List.of()));
        if (resource.hasStatus()) {
            all.add(new Subresource("status", resource.kind(), PART_VERBS));
        }
        if (resource.scale() != null) {
            all.add(new Subresource("scale", SCALE, PART_VERBS));
        }
        if (!resource.isCustom()) {
            all.sort(Comparator.comparing(Subresource::name));
        }
        return List.copyOf(all);
    }
}
