package io.keelson.storage;

import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;

/**
 * Which objects a list or watch wants. Immutable and thread-safe.
 *
 * @param selectable the fields of the resource that {@code fields} may name; the registry has checked that it does
 */
public record SelectionPredicate(LabelSelector labels, FieldSelector fields, SelectableFields selectable) {
    public static final SelectionPredicate EVERYTHING =
            new SelectionPredicate(LabelSelector.EVERYTHING, FieldSelector.EVERYTHING, SelectableFields.NONE);

    public boolean everything() {
        return labels.everything() && fields.everything();
    }

    public boolean matches(ApiObject object) {
        return labels.matches(object.meta().labels())
                && (fields.everything() || fields.matches(field -> value(object, field)));
    }

    /** What an object has in a field that a selector may name; empty where it is unset. */
    public String value(ApiObject object, String field) {
        return switch (field) {
            case "metadata.name" -> object.meta().name();
            case "metadata.namespace" -> object.meta().namespace();
            default -> {
                int index = selectable.index(field);
                yield index < 0 ? "" : object.field(index);
            }
        };
    }
}
