package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import io.keelson.resources.pods.PodTemplates;
import java.util.List;

/** Pod templates as objects of their own. */
public final class PodTemplateKind {
    private PodTemplateKind() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "PodTemplate", "podtemplates")
                .strategy(new TemplateStrategy())
                .defaults(Defaults.of(PodTemplates::defaults))
                .columns(
                        shown("Containers", 0),
                        shown("Images", 1),
                        Column.of(
                                "Pod Labels",
                                "string",
                                "Labels of the pods to come.",
                                (object, now) -> Cells.labels(Trees.at(object, "template", "metadata", "labels"))))
                .returnsDeletedObject()
                .build();
    }

    private static Column shown(String name, int index) {
        Column wide = Cells.containers("template", "spec").get(index);
        return Column.of(name, "string", wide.description(), wide.cell());
    }

    private static final class TemplateStrategy extends BasicStrategy {
        TemplateStrategy() {
            super(Trait.NAMESPACED, Trait.GENERATION);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode object) {
            var faults = new Faults();
            PodTemplates.check(faults, "template", object.path("template"));
            return faults.list();
        }
    }
}
