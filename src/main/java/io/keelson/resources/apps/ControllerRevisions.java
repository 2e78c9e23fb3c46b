package io.keelson.resources.apps;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.Locale;

/** Controller revisions: states that a controller can return to. Their data is the controller's own. */
public final class ControllerRevisions {
    private ControllerRevisions() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("apps", "v1", "ControllerRevision", "controllerrevisions")
                .strategy(new RevisionStrategy())
                .defaults(revision -> Trees.fill(revision, "revision", 0))
                .columns(
                        Column.of(
                                "Controller", "string", "Whose state it is.", (revision, now) -> controller(revision)),
                        Cells.number("Revision", "The number of the state.", "revision"),
                        Column.AGE)
                .build();
    }

    private static String controller(ObjectNode revision) {
        for (ObjectNode owner : Trees.objects(Trees.at(revision, "metadata", "ownerReferences"))) {
            if (owner.path("controller").asBoolean()) {
                String version = Trees.text(owner, "apiVersion");
                int slash = version.indexOf('/');
                String group = slash < 0 ? "" : "." + version.substring(0, slash);
                return Trees.text(owner, "kind").toLowerCase(Locale.ROOT) + group + "/" + Trees.text(owner, "name");
            }
        }
        return Cells.NONE;
    }

    private static final class RevisionStrategy extends BasicStrategy {
        RevisionStrategy() {
            super(Trait.NAMESPACED);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode revision) {
            var faults = new Faults();
            if (!Trees.has(revision, "data")) {
                faults.required("data", "data is mandatory");
            }
            faults.notNegative("revision", revision.path("revision"));
            return faults.list();
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode revision, ObjectNode old) {
            var faults = new Faults();
            faults.list().addAll(validate(context, revision));
            faults.immutable("data", revision.path("data"), old.path("data"));
            return faults.list();
        }
    }
}
