package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Pod templates: a pod spec with the metadata of the pods to come. */
public final class PodTemplates {
    private PodTemplates() {}

    /** Fills in the template that {@code spec} holds. */
    public static void defaults(ObjectNode spec) {
        ObjectNode template = Trees.child(spec, "template");
        Trees.child(template, "metadata");
        PodSpecs.defaults(Trees.child(template, "spec"));
    }

    /** What is wrong with a template at a path such as {@code spec.template}. */
    public static void check(Faults faults, String path, JsonNode template) {
        check(faults, path, template, Set.of());
    }

    private static void check(Faults faults, String path, JsonNode template, Set<String> claims) {
        faults.labels(path + ".labels", Trees.at(template, "metadata", "labels"));
        for (var annotation : Trees.at(template, "metadata", "annotations").properties()) {
            faults.rule(path + ".annotations", annotation.getKey().toLowerCase(Locale.ROOT), Names::labelKey);
        }
        PodSpecs.check(faults, path + ".spec", template.path("spec"), claims);
    }

    /**
     * What is wrong with the template of a workload whose pods run until they are deleted and are found by a selector.
     *
     * @param spec the workload's, with its template and, in a stateful set, the claims whose volumes its pods mount
     */
    public static void checkServing(Faults faults, String path, JsonNode spec, JsonNode selector) {
        JsonNode template = spec.path("template");
        JsonNode labels = Trees.at(template, "metadata", "labels");
        boolean everything = selector.isObject() && Selectors.isEmpty(selector);
        if (!everything && !Selectors.matches(selector, labels)) {
            faults.invalid(path + ".metadata.labels", labels, "`selector` does not match template `labels`");
        }
        Set<String> claims = new HashSet<>();
        Trees.objects(spec.path("volumeClaimTemplates"))
                .forEach(claim -> claims.add(Trees.text(claim, "metadata", "name")));
        check(faults, path, template, claims);
        String restart = Trees.text(template, "spec", "restartPolicy");
        if (restart.equals("OnFailure") || restart.equals("Never")) {
            faults.oneOf(path + ".spec.restartPolicy", Trees.at(template, "spec", "restartPolicy"), List.of("Always"));
        }
        if (Trees.at(template, "spec", "activeDeadlineSeconds").isNumber()) {
            faults.forbidden(path + ".spec.activeDeadlineSeconds", "is not supported for pods that are kept running");
        }
    }
}
