package io.keelson.resources.node;

import io.keelson.api.Names;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Quantities;
import io.keelson.resources.fields.Trees;

/** Runtime classes: how containers are run. */
public final class RuntimeClasses {
    private RuntimeClasses() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("node.k8s.io", "v1", "RuntimeClass", "runtimeclasses")
                .strategy(KindStrategy.of()
                        .check((faults, one) -> faults.presentByRule("handler", one.path("handler"), Names::label))
                        .checkChange((faults, one, old) ->
                                faults.immutable("handler", one.path("handler"), old.path("handler")))
                        .conditionalUpdate()
                        .build())
                .defaults(Defaults.of(one -> Quantities.canonicalize(Trees.at(one, "overhead", "podFixed"))))
                .columns(Cells.text("Handler", "What the container runtime calls it.", "handler"), Column.AGE)
                .build();
    }
}
