package io.keelson.endpoints.discovery;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of an API group.
 *
 * @param group empty for the core group
 */
public record GroupVersion(String group, String version) {
    private static final Pattern KUBERNETES_VERSION = Pattern.compile("v(\\d{1,9})(?:(alpha|beta)(\\d{1,9}))?");

    /** Groups in the order in which clients look a short name up; others follow by name. */
    private static final List<String> GROUP_ORDER = List.of(
            "",
            "apiregistration.k8s.io",
            "apps",
            "events.k8s.io",
            "authentication.k8s.io",
            "authorization.k8s.io",
            "autoscaling",
            "batch",
            "certificates.k8s.io",
            "networking.k8s.io",
            "policy",
            "rbac.authorization.k8s.io",
            "storage.k8s.io",
            "admissionregistration.k8s.io",
            "apiextensions.k8s.io",
            "scheduling.k8s.io",
            "coordination.k8s.io",
            "node.k8s.io",
            "discovery.k8s.io",
            "resource.k8s.io",
            "flowcontrol.apiserver.k8s.io");

    /** The order of groups, and in a group of versions: stable before beta before alpha, newer before older. */
    public static final Comparator<GroupVersion> ORDER = Comparator.<GroupVersion>comparingInt(
                    gv -> groupRank(gv.group))
            .thenComparing(GroupVersion::group)
            .thenComparing(GroupVersion::version, GroupVersion::compareVersions);

    public GroupVersion {
        requireNonNull(group, "group");
        requireNonNull(version, "version");
    }

    /** The form in {@code apiVersion}: {@code v1} or {@code apps/v1}. */
    @Override
    public String toString() {
        return group.isEmpty() ? version : group + "/" + version;
    }

    /** Where it is served, without a slash at the start: {@code api/v1} or {@code apis/apps/v1}. */
    public String path() {
        return group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
    }

    private static int groupRank(String group) {
        int rank = GROUP_ORDER.indexOf(group);
        return rank < 0 ? GROUP_ORDER.size() : rank;
    }

    private static int compareVersions(String a, String b) {
        Matcher first = KUBERNETES_VERSION.matcher(a);
        Matcher second = KUBERNETES_VERSION.matcher(b);
        boolean firstKnown = first.matches();
        boolean secondKnown = second.matches();
        if (!firstKnown || !secondKnown) {
            return firstKnown == secondKnown ? a.compareTo(b) : firstKnown ? -1 : 1;
        }
        int byStability = Integer.compare(stability(second), stability(first));
        if (byStability != 0) {
            return byStability;
        }
        int byMajor = Integer.compare(Integer.parseInt(second.group(1)), Integer.parseInt(first.group(1)));
        return byMajor != 0 || stability(first) == 2
                ? byMajor
                : Integer.compare(Integer.parseInt(second.group(3)), Integer.parseInt(first.group(3)));
    }

    private static int stability(Matcher version) {
        return switch (version.group(2)) {
            case null -> 2;
            case "beta" -> 1;
            default -> 0;
        };
    }
}
