package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Selectors;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Locale;

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
        faults.labels(path + ".labels", Trees.at(template, "metadata", "labels"));
        for (var annotation : Trees.at(template, "metadata", "annotations").properties()) {
            faults.rule(path + ".annotations", annotation.getKey().toLowerCase(Locale.ROOT), Names::labelKey);
        }
        PodSpecs.check(faults, path + ".spec", template.path("spec"));
    }

    /** What is wrong with a template whose pods run until they are deleted and are found by a selector. */
    public static void checkServing(Faults faults, String path, JsonNode template, JsonNode selector) {
        JsonNode labels = Trees.at(template, "metadata", "labels");
        boolean everything = selector.isObject() && Selectors.isEmpty(selector);
        if (!everything && !Selectors.matches(selector, labels)) {
            faults.invalid(path + ".metadata.labels", labels, "`selector` does not match template `labels`");
        }
        check(faults, path, template);
        String restart = Trees.text(template, "spec", "restartPolicy");
        if (restart.equals("OnFailure") || restart.equals("Never")) {
            faults.oneOf(path + ".spec.restartPolicy", Trees.at(template, "spec", "restartPolicy"), List.of("Always"));
        }
        if (Trees.at(template, "spec", "activeDeadlineSeconds").isNumber()) {
            faults.forbidden(path + ".spec.activeDeadlineSeconds", "is not supported for pods that are kept running");
        }
    }
}
