package io.keelson.schema;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where a walk through an object is. It becomes text only where something is to be said. Used by one thread. */
final class FieldPath {
    /** How many levels there is room for at first; real objects stay below that. */
    private static final int USUAL_DEPTH = 32;

    private @Nullable Object[] steps = new @Nullable Object[USUAL_DEPTH];
    private Schema[] around = new Schema[USUAL_DEPTH];
    private int depth;

    /** Goes down, by a field's name or an item's index. */
    void enter(Schema container, Object step) {
        if (depth == steps.length) {
            steps = Arrays.copyOf(steps, 2 * depth);
            around = Arrays.copyOf(around, 2 * depth);
        }
        steps[depth] = step;
        around[depth++] = container;
    }

    void leave() {
        depth--;
    }

    /** The name of the innermost type that has one, such as {@code DeploymentSpec}; empty where none has. */
    String innermostType() {
        for (int i = depth - 1; i >= 0; i--) {
            String name = around[i].name();
            if (!name.isEmpty()) {
                return name.substring(name.lastIndexOf('.') + 1);
            }
        }
        return "";
    }

    /** Such as {@code spec.template.spec.containers[0].image}. */
    @Override
    public String toString() {
        var text = new StringBuilder();
        for (int i = 0; i < depth; i++) {
            if (steps[i] instanceof Integer index) {
                text.append('[').append(index.intValue()).append(']');
            } else {
                text.append(text.isEmpty() ? "" : ".").append(steps[i]);
            }
        }
        return text.toString();
    }
}
