package io.keelson.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import io.keelson.endpoints.ResourceRegistry;
import io.keelson.endpoints.discovery.GroupVersion;
import io.keelson.endpoints.discovery.ServedResources;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.resources.apiregistration.ApiServices;
import io.keelson.storage.ListOptions;
import io.keelson.storage.StorageException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the registrations of the group versions that are served: those of built-in kinds for good, those of custom
 * resources while there are any. Thread-safe.
 */
final class LocalApiServices {
    private static final Logger LOG = LoggerFactory.getLogger(LocalApiServices.class);

    /** Priorities of built-in groups fall by this from one to the next; custom ones come after all of them. */
    private static final int STEP = 100;

    private static final int FIRST_GROUP = 18_000;
    private static final int CUSTOM_GROUP = 1_000;
    private static final int CUSTOM_VERSION = 100;
    private static final int LAST_VERSION = 15;

    private final @Nullable RegistryStore store;
    private final ResourceRegistry resources;
    private final InstantSource clock;
    private final AtomicBoolean running = new AtomicBoolean();
    private volatile List<ResourceDefinition> seen = List.of();

    /** @param store of registrations, null where they are not served */
    LocalApiServices(@Nullable RegistryStore store, ResourceRegistry resources, InstantSource clock) {
        this.store = store;
        this.resources = resources;
        this.clock = clock;
    }

    /** Looks whether other group versions are served than before; returns at once. */
    void tick() {
        if (store != null && !resources.definitions().equals(seen) && running.compareAndSet(false, true)) {
            Thread.ofVirtual().name("api-services").start(this::follow);
        }
    }

    private void follow() {
        try {
            List<ResourceDefinition> now = resources.definitions();
            missing().forEach(this::ensure);
            removeGone();
            seen = now;
        } catch (StorageException | ApiException e) {
            LOG.debug("The served group versions cannot be registered yet: {}", e.getMessage());
        } finally {
            running.set(false);
        }
    }

    /** The registrations that there should be and are not. */
    List<ObjectNode> missing() {
        if (store == null) {
            return List.of();
        }
        List<String> present = present().stream()
                .map(registration -> registration.meta().name())
                .toList();
        return wanted().stream()
                .filter(registration -> !present.contains(
                        registration.path("metadata").path("name").asText()))
                .toList();
    }

    void ensure(ObjectNode registration) {
        if (store != null) {
            Bootstrap.ensure(store, clock, registration);
        }
    }

    private List<ApiObject> present() {
        RequestContext context = RequestContext.internal("", clock.instant());
        return store == null
                ? List.of()
                : store.list(context, ListOptions.LATEST).items();
    }

    private List<ObjectNode> wanted() {
        List<ResourceDefinition> definitions = resources.definitions();
        var served = new ServedResources(definitions);
        List<String> builtin = Stream.concat(Stream.of(""), served.namedGroups().stream())
                .filter(group -> definitions.stream()
                        .anyMatch(one -> !one.isCustom() && one.kind().group().equals(group)))
                .toList();
        var wanted = new ArrayList<ObjectNode>();
        for (GroupVersion version : served.versions()) {
            int rank = builtin.indexOf(version.group());
            List<GroupVersion> versions = served.versions(version.group());
            int later = versions.size() - 1 - versions.indexOf(version);
            wanted.add(
                    rank < 0
                            ? registration(version, ApiServices.WHILE_SERVED, CUSTOM_GROUP, CUSTOM_VERSION)
                            : registration(
                                    version,
                                    ApiServices.ON_START,
                                    FIRST_GROUP - rank * STEP,
                                    version.group().isEmpty() ? 1 : LAST_VERSION * (later + 1)));
        }
        return wanted;
    }

    private static ObjectNode registration(GroupVersion version, String managed, int ofGroup, int ofVersion) {
        return ApiServices.local(version.group(), version.version(), managed, ofGroup, ofVersion);
    }

    private void removeGone() {
        var names = wanted().stream()
                .map(registration -> registration.path("metadata").path("name").asText())
                .collect(Collectors.toSet());
        for (ApiObject registration : present()) {
            boolean passing = Json.parseTrusted(registration.json())
                    .path("metadata")
                    .path("labels")
                    .path(ApiServices.MANAGED)
                    .asText()
                    .equals(ApiServices.WHILE_SERVED);
            if (passing && !names.contains(registration.meta().name())) {
                remove(registration.meta().name());
            }
        }
    }

    private void remove(String name) {
        try {
            if (store != null) {
                var _ = store.delete(RequestContext.internal("", clock.instant()), name, DeleteOptions.NONE);
            }
        } catch (ApiException e) {
            if (e.status().reason() != StatusReason.NOT_FOUND) {
                throw e;
            }
        }
    }
}
