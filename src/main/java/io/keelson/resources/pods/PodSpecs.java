package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The pod spec's defaults and rules, the same for a pod and for the template of whatever makes pods. */
public final class PodSpecs {
    /** The fields of a pod spec that hold containers which run from its start. */
    static final List<String> CONTAINERS = List.of("containers", "initContainers");

    private static final List<String> RESTART_POLICIES = List.of("Always", "OnFailure", "Never");
    private static final List<String> DNS_POLICIES =
            List.of("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None");
    private static final List<String> PREEMPTION_POLICIES = List.of("Never", "PreemptLowerPriority");
    private static final int GRACE_PERIOD_SECONDS = 30;

    private PodSpecs() {}

    /** Fills in a pod spec. */
    public static void defaults(ObjectNode spec) {
        Trees.fill(spec, "dnsPolicy", "ClusterFirst");
        Trees.fill(spec, "restartPolicy", "Always");
        Trees.fill(spec, "schedulerName", "default-scheduler");
        Trees.fill(spec, "terminationGracePeriodSeconds", GRACE_PERIOD_SECONDS);
        Trees.child(spec, "securityContext");
        mirrorServiceAccount(spec);
        Quantities.canonicalize(spec.path("overhead"));
        boolean hostNetwork = spec.path("hostNetwork").asBoolean();
        for (String list : CONTAINERS) {
            Trees.objects(spec.path(list)).forEach(container -> ContainerDefaults.fill(container, hostNetwork));
        }
        Trees.objects(spec.path("ephemeralContainers"))
                .forEach(container -> ContainerDefaults.fill(container, hostNetwork));
        Trees.objects(spec.path("volumes")).forEach(Volumes::defaults);
    }

    /** The account has an old name beside its present one; each follows the other. */
    private static void mirrorServiceAccount(ObjectNode spec) {
        String account = Trees.text(spec, "serviceAccountName");
        if (account.isEmpty()) {
            account = Trees.text(spec, "serviceAccount");
        }
        if (!account.isEmpty()) {
            spec.put("serviceAccountName", account).put("serviceAccount", account);
        }
    }

    /** What is wrong with a pod spec at a path such as {@code spec.template.spec}. */
    public static void check(Faults faults, String path, JsonNode spec) {
        check(faults, path, spec, Set.of());
    }

    /** @param claims names of volumes that the pods will have beside those of the spec: one for each claim template */
    static void check(Faults faults, String path, JsonNode spec, Set<String> claims) {
        Volumes.check(faults, path + ".volumes", spec.path("volumes"));
        checkContainers(faults, path, spec, claims);
        faults.oneOf(path + ".restartPolicy", spec.path("restartPolicy"), RESTART_POLICIES);
        faults.oneOf(path + ".dnsPolicy", spec.path("dnsPolicy"), DNS_POLICIES);
        faults.oneOfIfSet(path + ".preemptionPolicy", spec.path("preemptionPolicy"), PREEMPTION_POLICIES);
        faults.labels(path + ".nodeSelector", spec.path("nodeSelector"));
        checkNames(faults, path, spec);
        JsonNode deadline = spec.path("activeDeadlineSeconds");
        if (deadline.isNumber() && (deadline.asLong() < 1 || deadline.asLong() > Integer.MAX_VALUE)) {
            faults.invalid(path + ".activeDeadlineSeconds", deadline, "must be between 1 and 2147483647, inclusive");
        }
        Tolerations.check(faults, path + ".tolerations", spec.path("tolerations"));
        SecurityRules.checkPod(faults, path + ".securityContext", spec.path("securityContext"));
        AffinityRules.check(faults, path + ".affinity", spec.path("affinity"));
        AffinityRules.checkSpread(faults, path + ".topologySpreadConstraints", spec.path("topologySpreadConstraints"));
        NameResolution.check(faults, path, spec);
        PodFieldRules.check(faults, path, spec);
    }

    private static void checkContainers(Faults faults, String path, JsonNode spec, Set<String> claims) {
        Set<String> volumes = new HashSet<>(claims);
        Trees.objects(spec.path("volumes")).forEach(volume -> volumes.add(Trees.text(volume, "name")));
        var rules = new ContainerRules(faults, volumes, spec);
        if (spec.path("containers").isEmpty()) {
            faults.required(path + ".containers", "");
        }
        if (spec.has("resources")) {
            ContainerResources.check(faults, path + ".resources", spec.path("resources"), Set.of());
        }
        Set<String> names = new HashSet<>();
        for (String list : List.of("containers", "initContainers", "ephemeralContainers")) {
            int i = 0;
            for (ObjectNode container : Trees.objects(spec.path(list))) {
                String at = path + "." + list + "[" + i++ + "]";
                rules.check(at, container, names);
                if (list.equals("initContainers")) {
                    rules.checkInit(at, container);
                }
            }
        }
    }

    private static void checkNames(Faults faults, String path, JsonNode spec) {
        subdomainIfSet(faults, path + ".serviceAccountName", spec.path("serviceAccountName"));
        subdomainIfSet(faults, path + ".nodeName", spec.path("nodeName"));
        subdomainIfSet(faults, path + ".priorityClassName", spec.path("priorityClassName"));
        subdomainIfSet(faults, path + ".runtimeClassName", spec.path("runtimeClassName"));
        for (String field : List.of("hostname", "subdomain")) {
            if (!Trees.text(spec, field).isEmpty()) {
                faults.rule(path + "." + field, Trees.text(spec, field), Names::label);
            }
        }
    }

    private static void subdomainIfSet(Faults faults, String field, JsonNode name) {
        if (!Trees.text(name).isEmpty()) {
            faults.rule(field, name.asText(), Names::subdomain);
        }
    }
}
