package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/**
 * Namespaces: what other objects live in. One goes only when {@code spec.finalizers} is empty, which whoever empties the
 * namespace sees to.
 */
public final class Namespaces {
    /** The finalizer of a namespace that may still hold objects. */
    public static final String FINALIZER = "kubernetes";

    /** The label with the namespace's name, so that selectors can name it. */
    public static final String NAME_LABEL = "kubernetes.io/metadata.name";

    private Namespaces() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("", "v1", "Namespace", "namespaces")
                .shortNames("ns")
                .strategy(new NamespaceStrategy())
                .nameRule(Names::label)
                .defaults(Defaults.of(Namespaces::fill))
                .selectableFields(SelectableFields.of(List.of("status.phase")))
                .columns(
                        Cells.text("Status", "Whether the namespace is in use or on its way out.", "status", "phase"),
                        Column.AGE)
                .build();
    }

    private static void fill(ObjectNode namespace) {
        Trees.child(namespace, "spec");
        label(namespace);
    }

    /** A generated name is known only after the defaults. */
    private static void label(ObjectNode namespace) {
        ObjectNode metadata = Trees.child(namespace, "metadata");
        String name = Trees.text(metadata, "name");
        if (!name.isEmpty()) {
            Trees.child(metadata, "labels").put(NAME_LABEL, name);
        }
    }

    private static final class NamespaceStrategy extends BasicStrategy {
        NamespaceStrategy() {
            super(Trait.STATUS);
        }

        @Override
        public void prepareForCreate(RequestContext context, ObjectNode namespace) {
            super.prepareForCreate(context, namespace);
            var finalizers = Trees.list(Trees.child(namespace, "spec"), "finalizers");
            if (!Trees.texts(finalizers).contains(FINALIZER)) {
                finalizers.add(FINALIZER);
            }
        }

        @Override
        protected ObjectNode initialStatus(ObjectNode namespace) {
            return namespace.objectNode().put("phase", "Active");
        }

        @Override
        public void canonicalize(ObjectNode namespace) {
            label(namespace);
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode namespace, ObjectNode old) {
            super.prepareForUpdate(context, namespace, old);
            if (old.path("spec") instanceof ObjectNode spec) {
                copy(spec, Trees.child(namespace, "spec"), "finalizers");
            }
        }

        @Override
        public boolean holdsDeletion(ObjectNode namespace) {
            return !Trees.at(namespace, "spec", "finalizers").isEmpty();
        }

        /** What waits in a namespace has no common period of grace. */
        @Override
        public void prepareForDelete(ObjectNode namespace) {
            Trees.child(namespace, "status").put("phase", "Terminating");
            metadata(namespace).remove("deletionGracePeriodSeconds");
        }
    }
}
