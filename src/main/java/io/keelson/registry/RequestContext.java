package io.keelson.registry;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What a verb knows of its request beside the object. One instance a request, used by one thread at a time.
 */
public final class RequestContext {
    private final String namespace;
    private final String fieldManager;
    private final boolean dryRun;
    private final Instant now;
    private final List<String> warnings = new ArrayList<>();

    /**
     * @param namespace of the request's path, empty where it has none
     * @param dryRun whether everything runs but nothing is written
     * @param now the moment that time stamps show
     */
    public RequestContext(String namespace, String fieldManager, boolean dryRun, Instant now) {
        this.namespace = namespace;
        this.fieldManager = fieldManager;
        this.dryRun = dryRun;
        this.now = now;
    }

    /** A context of the server's own writes. */
    public static RequestContext internal(String namespace, Instant now) {
        return new RequestContext(namespace, "keelson", false, now);
    }

    public String namespace() {
        return namespace;
    }

    public String fieldManager() {
        return fieldManager;
    }

    public boolean dryRun() {
        return dryRun;
    }

    public Instant now() {
        return now;
    }

    /** Adds a text that the answer carries as a {@code Warning} header. */
    public void warn(String text) {
        warnings.add(text);
    }

    public List<String> warnings() {
        return warnings;
    }
}
