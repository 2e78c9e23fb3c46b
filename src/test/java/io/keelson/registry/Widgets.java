package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import io.keelson.api.SelectableFields;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A kind made for tests, whose hooks and strategy remember their calls. */
final class Widgets {
    /** What the hooks were called for, in order: {@code beginCreate w}, {@code finish true}, … */
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());

    volatile boolean unconditional = true;
    volatile boolean createOnUpdate;
    volatile boolean returnsDeleted;
    volatile PropagationPolicy propagation = PropagationPolicy.BACKGROUND;

    /** The period of grace of an object for which nothing else is asked; null for a kind that knows none. */
    volatile @Nullable Long grace;

    /** Runs whenever it is decided what a deletion does. */
    volatile Runnable onDecision = () -> {};

    ResourceDefinition definition() {
        var builder = ResourceDefinition.of("test.io", "v1", "Widget", "widgets")
                .strategy(new WidgetStrategy())
                .hooks(new RecordingHooks())
                .scale(ScalePaths.WORKLOAD)
                .defaults(Widgets::fill)
                .selectableFields(SelectableFields.of(List.of("spec.color")));
        return (returnsDeleted ? builder.returnsDeletedObject() : builder).build();
    }

    /** A kind of the cluster with nothing of its own. */
    static ResourceDefinition gadgets() {
        return ResourceDefinition.of("", "v1", "Gadget", "gadgets")
                .strategy(new BasicStrategy())
                .build();
    }

    private static void fill(ObjectNode widget) {
        if (!widget.has("spec")) {
            widget.putObject("spec").put("color", "grey");
        }
    }

    private static String name(ObjectNode object) {
        return object.path("metadata").path("name").asText();
    }

    private final class WidgetStrategy extends BasicStrategy {
        WidgetStrategy() {
            super(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION);
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode object) {
            String color = object.path("spec").path("color").asText();
            return color.equals("none") ? List.of(FieldError.invalid("spec.color", color, "is no color")) : List.of();
        }

        @Override
        public List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            return object.path("status").has("bad")
                    ? List.of(FieldError.forbidden("status.bad", "not that"))
                    : List.of();
        }

        @Override
        public boolean allowCreateOnUpdate() {
            return createOnUpdate;
        }

        @Override
        public boolean allowUnconditionalUpdate() {
            return unconditional;
        }

        @Override
        public PropagationPolicy defaultPropagation() {
            return propagation;
        }

        @Override
        public @Nullable Long gracePeriodSeconds(ObjectNode object, @Nullable Long asked) {
            onDecision.run();
            return grace == null || asked == null ? grace : asked;
        }
    }

    private final class RecordingHooks implements Hooks {
        @Override
        public Finish beginCreate(RequestContext context, ObjectNode object) {
            calls.add("beginCreate " + name(object));
            return success -> calls.add("finish " + success);
        }

        @Override
        public void afterCreate(ApiObject object) {
            calls.add("afterCreate " + object.meta().name());
        }

        @Override
        public Finish beginUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            calls.add("beginUpdate " + name(object));
            return success -> calls.add("finish " + success);
        }

        @Override
        public void afterUpdate(ApiObject object) {
            calls.add("afterUpdate " + object.meta().name());
        }

        @Override
        public void afterDelete(ApiObject object) {
            calls.add("afterDelete " + object.meta().name());
        }
    }
}
