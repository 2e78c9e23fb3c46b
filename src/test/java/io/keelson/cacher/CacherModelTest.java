package io.keelson.cacher;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ApiObject;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.Preconditions;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.Storage;
import io.keelson.storage.StorageContext;
import io.keelson.storage.StorageException;
import io.keelson.storage.Watch;
import io.keelson.storage.WatchReader;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.kv.KvStorage;
import io.keelson.storage.kv.KvStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random writes, watches, lists, compactions and slow readers against a model that keeps the state after each revision. A
 * watch must show exactly the changes of what it selects, in order, or end with 410. Where the cache's own watch breaks,
 * what happened until its next list may be told as the difference, and everything else still holds.
 */
@Timeout(60)
class CacherModelTest {
    private static final String PREFIX = "/registry/things/";
    private static final int STEPS = 1500;
    private static final int NAMESPACES = 3;
    private static final int NAMES = 5;
    private static final int MAX_WATCHES = 24;

    private record Entry(String tier, String value, long revision) {}

    /** A running watch and what its client knows. */
    private static final class Client {
        final Watch watch;
        final String scope;
        final String tier;
        final Map<String, Entry> known = new TreeMap<>();
        long revision;
        boolean initial;

        Client(Watch watch, String scope, String tier, long revision, boolean initial) {
            this.watch = watch;
            this.scope = scope;
            this.tier = tier;
            this.revision = revision;
            this.initial = initial;
        }
    }

    private final EmbeddedKvStore store =
            EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, InstantSource.system()));
    private final TreeMap<Long, Map<String, Entry>> model = new TreeMap<>();
    private final List<Client> clients = new ArrayList<>();
    private int expired;
    private int events;
    private UnreliableKvStore unreliable;
    private Cacher cacher;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void watchersSeeEachChangeOnceAndInOrder(long seed) {
        run(seed, false);
        assertThat(unreliable.breaks()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16, 17, 18})
    void aStoreThatFailsMisleadsNobody(long seed) {
        run(seed, true);
        assertThat(unreliable.breaks()).isPositive();
    }

    private void run(long seed, boolean failing) {
        var random = new Random(seed);
        var options = new CacherOptions(
                40 + random.nextInt(60),
                100,
                Duration.ofMillis(1),
                Duration.ofSeconds(20),
                Duration.ZERO,
                100,
                Duration.ZERO);
        try (store) {
            Storage storage = open(options, seed);
            model.put(storage.currentResourceVersion(), Map.of());
            if (failing) {
                unreliable.rage();
            }
            for (int step = 0; step < STEPS; step++) {
                step(storage, random);
            }
            unreliable.calm();
            long last = model.lastKey();
            List.copyOf(clients).forEach(client -> readUntil(client, last));
            assertThat(events).isGreaterThan(STEPS / 2);
            assertThat(expired).isPositive();
            assertThat(cacher.checkConsistency()).isEqualTo(ConsistencyChecker.Outcome.SUCCESS);
            assertThat(cacher.status().consistency().failures()).isZero();
            clients.forEach(client -> client.watch.close());
            storage.close();
        }
    }

    private Storage open(CacherOptions options, long seed) {
        unreliable = new UnreliableKvStore(store, seed);
        var backoff = new Backoff(new Random(seed), Duration.ofMillis(1), Duration.ofMillis(3));
        cacher = new Cacher(PREFIX, storage(unreliable), options, backoff);
        cacher.start();
        Awaitility.await().pollDelay(Duration.ZERO).until(cacher::ready);
        return new CacheDelegator(storage(store), cacher, () -> true);
    }

    private static KvStorage storage(KvStore store) {
        return new KvStorage(store, new ObjectDecoder(StorageContext.FIELDS), PREFIX, InstantSource.system());
    }

    private void step(Storage storage, Random random) {
        int choice = random.nextInt(100);
        if (choice < 45) {
            write(storage, random);
        } else if (choice < 50 && clients.size() < MAX_WATCHES) {
            watch(storage, random);
        } else if (choice < 51 && !clients.isEmpty()) {
            clients.remove(random.nextInt(clients.size())).watch.close();
        } else if (choice < 60) {
            list(storage, random);
        } else if (choice < 61) {
            store.compact(random.nextLong(model.firstKey(), model.lastKey() + 1));
        } else if (choice < 63) {
            assertThat(cacher.checkConsistency()).isNotEqualTo(ConsistencyChecker.Outcome.FAILURE);
        } else if (!clients.isEmpty()) {
            read(clients.get(random.nextInt(clients.size())), random.nextInt(16));
        }
    }

    private static String path(Random random) {
        return "ns" + random.nextInt(NAMESPACES) + "/" + random.nextInt(NAMES);
    }

    private static String tier(Random random) {
        return random.nextBoolean() ? "front" : "back";
    }

    private void write(Storage storage, Random random) {
        String path = path(random);
        Map<String, Entry> state = new TreeMap<>(model.lastEntry().getValue());
        if (state.containsKey(path) && random.nextInt(3) == 0) {
            long revision = storage.delete(PREFIX + path, Preconditions.NONE, Storage.ValidateDeletion.NONE, null)
                    .resourceVersion();
            state.remove(path);
            model.put(revision, state);
            return;
        }
        String tier = tier(random);
        String value = Integer.toString(random.nextInt());
        ApiObject written = storage.guaranteedUpdate(
                PREFIX + path,
                true,
                Preconditions.NONE,
                existing -> Storage.Updated.of(StorageContext.thing(path, tier, value)),
                null);
        state.put(path, new Entry(tier, value, written.resourceVersion()));
        model.put(written.resourceVersion(), state);
    }

    private static SelectionPredicate predicate(String tier) {
        return tier.isEmpty() ? SelectionPredicate.EVERYTHING : StorageContext.tier(tier);
    }

    private void watch(Storage storage, Random random) {
        String path = path(random);
        String scope =
                List.of("", path.substring(0, path.indexOf('/') + 1), path).get(random.nextInt(3));
        String tier = random.nextInt(3) == 0 ? "" : tier(random);
        ListOptions options =
                ListOptions.LATEST.withPredicate(predicate(tier)).withAllowBookmarks(random.nextBoolean());
        boolean initial = random.nextInt(3) == 0;
        // Mostly from the recent past, sometimes from long ago.
        long start = Math.max(model.firstKey(), model.lastKey() - random.nextInt(random.nextInt(4) == 0 ? 400 : 30));
        ListOptions asked = initial
                ? options.withSendInitialEvents(true).withAllowBookmarks(true)
                : options.withResourceVersion(start);
        try {
            var client = new Client(storage.watch(PREFIX + scope, asked), scope, tier, initial ? 0 : start, initial);
            if (!initial) {
                client.known.putAll(selected(client, start));
            }
            clients.add(client);
        } catch (StorageException.Unreachable e) {
            assertThat(initial)
                    .as("only who asks for the most recent state needs the store")
                    .isTrue();
        }
    }

    /** What a client's watch selects of the state at a revision. */
    private Map<String, Entry> selected(Client client, long revision) {
        return select(revision, client.scope, client.tier);
    }

    private Map<String, Entry> select(long revision, String scope, String tier) {
        Map<String, Entry> selected = new TreeMap<>();
        model.floorEntry(revision).getValue().forEach((path, entry) -> {
            boolean inScope = scope.isEmpty() || (scope.endsWith("/") ? path.startsWith(scope) : path.equals(scope));
            if (inScope && (tier.isEmpty() || entry.tier().equals(tier))) {
                selected.put(path, entry);
            }
        });
        return selected;
    }

    private void read(Client client, int count) {
        for (int i = 0; i < count && clients.contains(client); i++) {
            WatchEvent event = client.watch.poll();
            if (event == null) {
                return;
            }
            take(client, event);
        }
    }

    private void take(Client client, WatchEvent event) {
        events++;
        if (event.type() == WatchEventType.ERROR) {
            assertThat(WatchReader.describe(event)).contains("410");
            assertThat(client.watch.poll()).isNull();
            assertThat(client.watch.ended()).isTrue();
            clients.remove(client);
            expired++;
            return;
        }
        if (event.type() == WatchEventType.BOOKMARK) {
            assertThat(event.resourceVersion()).isGreaterThanOrEqualTo(client.revision);
            client.revision = event.resourceVersion();
            client.initial = false;
            assertThat(client.known).isEqualTo(selected(client, client.revision));
            return;
        }
        ApiObject object = event.object();
        String path = StorageContext.path(object);
        Entry before = client.known.get(path);
        boolean partOfDifference = unreliable.inGap(event.resourceVersion());
        if (client.initial) {
            assertThat(event.type()).isEqualTo(WatchEventType.ADDED);
            assertThat(before).isNull();
        } else {
            // Several objects may be gone at the revision of a list.
            assertThat(event.resourceVersion()).isGreaterThanOrEqualTo(client.revision + (partOfDifference ? 0 : 1));
            // Nothing that it selects has changed between the event before and this one.
            if (!partOfDifference) {
                assertThat(client.known).isEqualTo(selected(client, event.resourceVersion() - 1));
            }
            client.revision = event.resourceVersion();
        }
        if (event.type() == WatchEventType.DELETED) {
            assertThat(before).isNotNull();
            assertThat(StorageContext.value(object)).isEqualTo(before.value());
            client.known.remove(path);
        } else {
            assertThat(event.type() == WatchEventType.ADDED).isEqualTo(before == null);
            String tier = object.meta().labels().get("tier");
            client.known.put(path, new Entry(tier, StorageContext.value(object), event.resourceVersion()));
        }
        if (!client.initial && !partOfDifference) {
            assertThat(client.known).isEqualTo(selected(client, event.resourceVersion()));
        }
    }

    private void readUntil(Client client, long last) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .atMost(StorageContext.PATIENCE)
                .until(() -> {
                    WatchEvent event = client.watch.poll();
                    while (event != null) {
                        if (event.type() == WatchEventType.ERROR) {
                            expired++;
                            return true;
                        }
                        take(client, event);
                        event = client.watch.poll();
                    }
                    return client.known.equals(selected(client, last));
                });
    }

    private void list(Storage storage, Random random) {
        String tier = random.nextInt(3) == 0 ? "" : tier(random);
        long revision = Math.max(model.firstKey(), model.lastKey() - random.nextInt(60));
        ListOptions options = ListOptions.LATEST.withPredicate(predicate(tier));
        ListOptions asked = switch (random.nextInt(4)) {
            case 0 -> options;
            case 1 -> options.withResourceVersion(0L);
            case 2 -> StorageContext.atLeast(revision).withPredicate(predicate(tier));
            default -> StorageContext.exactly(revision).withPredicate(predicate(tier));
        };
        try {
            ListResult list = storage.getList(PREFIX, asked);
            var shown = new TreeMap<String, Entry>();
            list.items()
                    .forEach(item -> shown.put(
                            StorageContext.path(item),
                            new Entry(
                                    item.meta().labels().get("tier"),
                                    StorageContext.value(item),
                                    item.resourceVersion())));
            assertThat(shown).isEqualTo(select(list.resourceVersion(), "", tier));
            if (asked.resourceVersion() == null) {
                assertThat(list.resourceVersion()).isEqualTo(model.lastKey());
            } else {
                assertThat(list.resourceVersion()).isGreaterThanOrEqualTo(asked.resourceVersion());
            }
        } catch (StorageException.Unreachable e) {
            assertThat(asked.resourceVersion()).isNull();
        } catch (StorageException.Expired e) {
            assertThat(store.compactRevision()).isGreaterThan(revision);
        }
    }
}
