package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/** What a write changes, as it is seen in each version that an owner of fields wrote in. Used by one thread. */
final class Differences {
    private final ObjectNode old;
    private final ObjectNode now;
    private final ObjectType type;
    private final Scope scope;
    private final Comparison.Result own;
    private final Map<String, Comparison.Result> others = new HashMap<>(0);

    /** @param old an empty object where there was none */
    Differences(ObjectNode old, ObjectNode now, ObjectType type, Scope scope) {
        this.old = old;
        this.now = now;
        this.type = type;
        this.scope = scope;
        this.own = Comparison.of(old, now, type, scope);
    }

    /** In the version of the write. */
    Comparison.Result own() {
        return own;
    }

    /** In a version by its apiVersion. */
    Comparison.Result in(String apiVersion) {
        OtherVersions.Version version = type.others().of(apiVersion);
        if (version == null) {
            return own;
        }
        return others.computeIfAbsent(
                apiVersion,
                any -> Comparison.of(
                        old.isEmpty() ? old : version.convert(old), version.convert(now), version.type(), scope));
    }
}
