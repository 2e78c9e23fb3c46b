package io.keelson.controllers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.Names;
import io.keelson.api.ObjectMeta;
import io.keelson.api.StatusReason;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.StorageException;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells users by Events what a controller found. The same thing told of the same object again counts up one event. An event
 * that cannot be written is logged and forgotten: nothing depends on it. Thread-safe.
 */
final class EventRecorder {
    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

    /** Where events about objects of the cluster go. */
    private static final String DEFAULT_NAMESPACE = "default";

    private final RegistryStore events;
    private final String component;
    private final InstantSource clock;

    /** @param component who tells */
    EventRecorder(RegistryStore events, String component, InstantSource clock) {
        this.events = events;
        this.component = component;
        this.clock = clock;
    }

    /** @param reason in one word in camel case */
    void warn(GroupVersionKind kind, ObjectMeta about, String reason, String message) {
        String namespace = about.namespace().isEmpty() ? DEFAULT_NAMESPACE : about.namespace();
        String name = name(about, reason, message);
        RequestContext context = RequestContext.internal(namespace, clock.instant());
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        try {
            events.create(context, "", event(kind, about, name, now, reason, message));
        } catch (ApiException e) {
            if (e.status().reason() == StatusReason.ALREADY_EXISTS) {
                countUp(context, name, now);
            } else {
                LOG.debug("The event {} cannot be written: {}", name, e.getMessage());
            }
        } catch (StorageException e) {
            LOG.debug("The event {} cannot be written: {}", name, e.getMessage());
        }
    }

    /** One name for whatever is the same, so that a restart does not tell it twice. */
    private static String name(ObjectMeta about, String reason, String message) {
        long hash = 31L * (31L * about.uid().hashCode() + reason.hashCode()) + message.hashCode();
        String suffix = "." + Long.toHexString(hash);
        String name = about.name();
        int longest = Names.MAX_SUBDOMAIN - suffix.length();
        return (name.length() > longest ? name.substring(0, longest) : name) + suffix;
    }

    private ObjectNode event(
            GroupVersionKind kind, ObjectMeta about, String name, String now, String reason, String message) {
        ObjectNode event = Json.object();
        event.put("apiVersion", "v1").put("kind", "Event");
        event.putObject("metadata").put("name", name);
        ObjectNode involved = event.putObject("involvedObject");
        involved.put("kind", kind.kind());
        if (!about.namespace().isEmpty()) {
            involved.put("namespace", about.namespace());
        }
        involved.put("name", about.name()).put("uid", about.uid()).put("apiVersion", kind.apiVersion());
        event.put("reason", reason).put("message", message).put("type", "Warning");
        event.putObject("source").put("component", component);
        event.put("reportingComponent", component);
        event.put("firstTimestamp", now).put("lastTimestamp", now).put("count", 1);
        return event;
    }

    private void countUp(RequestContext context, String name, String now) {
        try {
            var _ = events.update(context, name, existing -> {
                if (existing == null) {
                    throw ApiException.notFound(events.definition().resource(), name);
                }
                return existing.put("count", Trees.at(existing, "count").asInt() + 1)
                        .put("lastTimestamp", now);
            });
        } catch (ApiException | StorageException e) {
            LOG.debug("The event {} cannot be counted up: {}", name, e.getMessage());
        }
    }
}
