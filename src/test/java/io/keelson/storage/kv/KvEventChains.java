package io.keelson.storage.kv;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks that each event's previous state is the key's event before it. */
public final class KvEventChains {
    private KvEventChains() {}

    /** Checks the events of keys that did not exist before the first one. */
    public static void check(List<KvEvent> events) {
        Map<String, KvEvent> last = new HashMap<>();
        for (KvEvent event : events) {
            KvEvent before = last.put(event.key(), event);
            KeyValue previous = event.previous();
            boolean fresh = before == null || before.deleted();
            if (fresh != (previous == null) || (previous != null && previous.modRevision() != before.revision())) {
                throw new AssertionError(event + " follows " + before);
            }
        }
    }
}
