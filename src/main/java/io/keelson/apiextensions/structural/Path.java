package io.keelson.apiextensions.structural;

import org.jspecify.annotations.Nullable;

/**
 * Where a value is, as errors tell it: {@code spec.ports[0].port}. Steps are linked to the one before, so that a walk that
 * finds nothing wrong writes no text. Immutable.
 */
public record Path(@Nullable Path parent, String step) {
    /** Where nothing has been entered; shown as {@code <nil>}. */
    public static final Path ROOT = new Path(null, "");

    public static Path of(String text) {
        return new Path(ROOT, text);
    }

    public Path child(String name) {
        return new Path(this, name);
    }

    public Path index(int index) {
        return new Path(this, "[" + index + "]");
    }

    /** A step into a map by its key, shown in brackets. */
    public Path key(String key) {
        return new Path(this, "[" + key + "]");
    }

    public boolean isRoot() {
        return parent == null;
    }

    /** The same without anything at the root. */
    String text() {
        var text = new StringBuilder();
        append(text);
        return text.toString();
    }

    private void append(StringBuilder to) {
        if (parent == null) {
            return;
        }
        parent.append(to);
        if (!to.isEmpty() && !step.startsWith("[")) {
            to.append('.');
        }
        to.append(step);
    }

    @Override
    public String toString() {
        return isRoot() ? "<nil>" : text();
    }
}
