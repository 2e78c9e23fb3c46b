package io.keelson.controllers;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.registry.RequestContext;
import io.keelson.registry.StatusRest;
import io.keelson.storage.StorageException;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the statuses of objects without namespaces, each for the very state that it was judged by. One that cannot be written keeps no
 * other from it and is tried again, after a growing while, until it is written or there is a later state. Thread-safe.
 */
final class JudgedStatuses implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JudgedStatuses.class);

    /** How many statuses are tried again at the same time. */
    private static final int WORKERS = 4;

    /** How many statuses may wait to be tried again. */
    private static final int MAX_UNWRITTEN = 10_000;

    private record Judged(ApiObject object, JsonNode status) {
        String name() {
            return object.meta().name();
        }
    }

    private final StatusRest rest;
    private final InstantSource clock;
    private final WorkQueue<String> retries;

    /** The statuses that could not be written so far, by the names of their objects. */
    private final Map<String, Judged> unwritten = new ConcurrentHashMap<>();

    JudgedStatuses(StatusRest rest, InstantSource clock) {
        this.rest = rest;
        this.clock = clock;
        this.retries = new WorkQueue<>(
                "status-" + rest.definition(), WORKERS, MAX_UNWRITTEN, Backoff.DEFAULT, (name, age) -> tryAgain(name));
    }

    void start() {
        retries.start();
    }

    /**
     * Writes a status now or later.
     *
     * @param judged the state that it is of; a later one keeps its own
     * @throws IllegalStateException where too many wait to be tried again
     */
    void write(ApiObject judged, JsonNode status) {
        var pending = new Judged(judged, status);
        try {
            write(pending);
        } catch (ApiException | StorageException e) {
            LOG.warn("The status of {} cannot be written and is tried again: {}", pending.name(), e.getMessage());
            unwritten.put(pending.name(), pending);
            if (!retries.add(pending.name())) {
                throw new IllegalStateException("too many statuses wait to be written", e);
            }
        }
    }

    /** How many statuses wait to be tried again. */
    int waiting() {
        return retries.size();
    }

    private WorkQueue.Outcome tryAgain(String name) {
        Judged pending = unwritten.get(name);
        if (pending == null) {
            return WorkQueue.Outcome.DONE;
        }
        try {
            write(pending);
        } catch (ApiException | StorageException e) {
            LOG.debug("The status of {} can still not be written: {}", name, e.getMessage());
            return WorkQueue.Outcome.RETRY;
        }
        unwritten.remove(name, pending);
        return WorkQueue.Outcome.DONE;
    }

    private void write(Judged judged) {
        ApiObject object = judged.object();
        var context = RequestContext.internal("", clock.instant());
        Changes.apply(rest, context, judged.name(), object.meta().uid(), existing -> {
            String version = existing.path("metadata").path("resourceVersion").asText();
            if (version.equals(Long.toString(object.resourceVersion()))) {
                existing.set("status", judged.status());
            }
        });
    }

    /** Stops trying; what is under way has a few seconds to end. */
    @Override
    public void close() {
        retries.close();
    }
}
