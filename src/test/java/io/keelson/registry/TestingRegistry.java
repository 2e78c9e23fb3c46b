package io.keelson.registry;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.cacher.CacheDelegator;
import io.keelson.cacher.Cacher;
import io.keelson.cacher.CacherOptions;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.RestStorage.Deleted;
import io.keelson.registry.RestStorage.Updated;
import io.keelson.storage.Storage;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.kv.KvStorage;
import io.keelson.storage.kv.KvStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Registry stores over a store in memory, with or without a cache between, on a clock that stands still. Objects are
 * written in JSON with single quotes.
 */
public final class TestingRegistry implements AutoCloseable {
    public static final Instant NOW = Instant.parse("2030-01-01T00:00:00.5Z");
    public static final InstantSource CLOCK = InstantSource.fixed(NOW);

    private final FaultyKvStore kv;
    private final Map<String, RegistryStore> stores = new LinkedHashMap<>();

    TestingRegistry(Collection<ResourceDefinition> definitions, Admission admission) {
        this(definitions, admission, new Random(1), false);
    }

    TestingRegistry(Collection<ResourceDefinition> definitions, Admission admission, RandomGenerator random) {
        this(definitions, admission, random, false);
    }

    /** @param cached whether a cache stands between, as it does in the server */
    public TestingRegistry(Collection<ResourceDefinition> definitions, Admission admission, boolean cached) {
        this(definitions, admission, new Random(1), cached);
    }

    private TestingRegistry(
            Collection<ResourceDefinition> definitions, Admission admission, RandomGenerator random, boolean cached) {
        this(
                definitions,
                admission,
                random,
                cached,
                EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, CLOCK)));
    }

    /** @param store is closed with this */
    TestingRegistry(
            Collection<ResourceDefinition> definitions,
            Admission admission,
            RandomGenerator random,
            boolean cached,
            KvStore store) {
        this.kv = new FaultyKvStore(store);
        for (ResourceDefinition definition : definitions) {
            String prefix = "/registry/" + definition.storagePath() + "/";
            var underlying = new KvStorage(kv, new ObjectDecoder(definition.selectableFields()), prefix, CLOCK);
            Storage storage = underlying;
            if (cached) {
                var cacher = new Cacher(prefix, underlying, CacherOptions.DEFAULT);
                cacher.start();
                // Watches of a cache that is still being filled are refused.
                await().pollDelay(Duration.ZERO)
                        .pollInterval(Duration.ofMillis(1))
                        .until(() -> cacher.status().ready());
                storage = new CacheDelegator(underlying, cacher, underlying::supportsProgress);
            }
            stores.put(definition.plural(), new RegistryStore(definition, storage, prefix, admission, random));
        }
    }

    public FaultyKvStore kv() {
        return kv;
    }

    public Collection<RegistryStore> stores() {
        return stores.values();
    }

    /** The store of a resource, such as {@code pods}. */
    public RegistryStore store(String resource) {
        RegistryStore store = stores.get(resource);
        if (store == null) {
            throw new AssertionError("no store of " + resource);
        }
        return store;
    }

    public static RequestContext in(String namespace) {
        return RequestContext.internal(namespace, NOW);
    }

    public static RequestContext dryRun(String namespace) {
        return new RequestContext(namespace, "test", true, NOW);
    }

    public static ObjectNode json(String text) {
        return (ObjectNode) Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    public static ObjectNode tree(ApiObject object) {
        return Json.parseTrusted(object.json());
    }

    /** Creates an object of a kind; its apiVersion and kind are filled in. */
    public ApiObject create(String resource, String namespace, String object) {
        return store(resource).create(in(namespace), "", withKind(resource, json(object)));
    }

    ObjectNode withKind(String resource, ObjectNode object) {
        var kind = store(resource).definition().kind();
        return object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
    }

    /** Reads an object as it is in the store. */
    public ObjectNode read(String resource, String namespace, String name) {
        return tree(store(resource).get(in(namespace), name, null));
    }

    /** Changes the present state of an object. */
    public Updated update(String resource, String namespace, String name, Consumer<ObjectNode> change) {
        return store(resource).update(in(namespace), name, changing(change));
    }

    /** An update that changes the present state, where there is one. */
    public static RestStorage.UpdatedObject changing(Consumer<ObjectNode> change) {
        return existing -> {
            if (existing == null) {
                return Json.object();
            }
            change.accept(existing);
            return existing;
        };
    }

    public Deleted delete(String resource, String namespace, String name) {
        return store(resource).delete(in(namespace), name, DeleteOptions.NONE);
    }

    @Override
    public void close() {
        stores.values().forEach(store -> store.storage().close());
        kv.close();
    }
}
