package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import java.util.function.Consumer;

/** Makes a kind's defaults out of what it fills in: first the object is freed of fields that say nothing. */
public final class Defaults {
    /** The defaults of a kind that fills in nothing. */
    public static final Consumer<ObjectNode> NONE = of(object -> {});

    private Defaults() {}

    /**
     * Defaults that answer a {@link MalformedValueException} with a 400 Status that names the kind.
     *
     * @param fill fills in the fields; may run again on what it has filled in
     */
    public static Consumer<ObjectNode> of(Consumer<ObjectNode> fill) {
        return object -> {
            Trees.clean(object);
            try {
                fill.accept(object);
            } catch (MalformedValueException e) {
                String version = Trees.text(object, "apiVersion");
                throw ApiException.badRequest("%s in version \"%s\" cannot be handled as a %1$s: %s"
                        .formatted(
                                Trees.text(object, "kind"),
                                version.substring(version.indexOf('/') + 1),
                                e.getMessage()));
            }
        };
    }
}
