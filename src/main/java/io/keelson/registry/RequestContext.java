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
    private final String apiVersion;
    private final boolean dryRun;
    private final Instant now;
    private final List<String> warnings;

    /**
     * @param namespace of the request's path, empty where it has none
     * @param dryRun whether everything runs but nothing is written
     * @param now the moment that time stamps show
     */
    public RequestContext(String namespace, String fieldManager, boolean dryRun, Instant now) {
        this(namespace, fieldManager, "", dryRun, now, new ArrayList<>());
    }

    private RequestContext(
            String namespace,
            String fieldManager,
            String apiVersion,
            boolean dryRun,
            Instant now,
            List<String> warnings) {
        this.namespace = namespace;
        this.fieldManager = fieldManager;
        this.apiVersion = apiVersion;
        this.dryRun = dryRun;
        this.now = now;
        this.warnings = warnings;
    }

    /** The same request, whose answer carries the same warnings, where its body says whether it is a dry run. */
    public RequestContext withDryRun(boolean dry) {
        return new RequestContext(namespace, fieldManager, apiVersion, dry, now, warnings);
    }

    /** The same request, made through a version that objects are not stored in. */
    RequestContext through(String version) {
        return new RequestContext(namespace, fieldManager, version, dryRun, now, warnings);
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

    /** The version that the request goes through, empty where it is the stored one. */
    String apiVersion() {
        return apiVersion;
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

    /** The texts so far, as they grow. */
    public List<String> warnings() {
        return warnings;
    }
}
