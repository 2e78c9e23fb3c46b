package io.keelson.schema;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.GroupVersionKind;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The schemas of the built-in kinds, each made when it is first asked for and then kept. What kinds have in common, such as
 * metadata and pod specs, is made once. Thread-safe.
 */
public final class BuiltinSchemas {
    private static final BuiltinSchemas INSTANCE = new BuiltinSchemas();

    private final Map<GroupVersionKind, Schema> known = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Schema> made = new HashMap<>();

    /** The kinds that the library has; empty before it was first read. */
    private volatile Set<String> kinds = Set.of();

    private BuiltinSchemas() {}

    /** The schema of a kind; null where the library has none. */
    public static @Nullable Schema of(GroupVersionKind kind) {
        Schema schema = INSTANCE.known.get(kind);
        return schema != null || INSTANCE.lacks(kind) ? schema : INSTANCE.make(kind);
    }

    /** The schema of the metadata that all kinds have. */
    public static Schema objectMeta() {
        return Objects.requireNonNull(Objects.requireNonNull(of(new GroupVersionKind("", "v1", "ConfigMap")))
                .properties()
                .get("metadata"));
    }

    /** Whether the library is known to have no such kind: custom kinds are asked for with each write. */
    private boolean lacks(GroupVersionKind kind) {
        Set<String> all = kinds;
        return !all.isEmpty() && !all.contains(SchemaLibrary.textOf(kind));
    }

    private @Nullable Schema make(GroupVersionKind kind) {
        lock.lock();
        try {
            SchemaLibrary library = SchemaLibrary.read();
            if (kinds.isEmpty()) {
                kinds = library.kinds();
            }
            String name = library.nameOf(kind);
            if (name == null) {
                return null;
            }
            Schema schema = new SchemaCompiler(library::definition, made).named(name);
            known.put(kind, schema);
            return schema;
        } finally {
            lock.unlock();
        }
    }
}
