package io.keelson.cacher.store;

import java.util.ArrayList;
import java.util.List;

/** Writes down each difference as one line that starts with the key. */
final class RecordedDiff<V> implements DiffConsumer<V> {
    final List<String> lines = new ArrayList<>();

    @Override
    public void added(String key, V after) {
        lines.add(key + " added " + after);
    }

    @Override
    public void changed(String key, V before, V after) {
        lines.add(key + " changed " + before + " to " + after);
    }

    @Override
    public void removed(String key, V before) {
        lines.add(key + " removed " + before);
    }
}
