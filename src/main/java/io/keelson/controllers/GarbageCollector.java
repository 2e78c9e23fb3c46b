package io.keelson.controllers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.GroupResource;
import io.keelson.api.ObjectMeta;
import io.keelson.controllers.DependencyGraph.Change;
import io.keelson.controllers.DependencyGraph.Gone;
import io.keelson.controllers.DependencyGraph.Item;
import io.keelson.registry.RegistryStore;
import io.keelson.storage.StorageException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes objects whose owners are gone, and does what deletions leave to it: one in the foreground goes after its dependents,
 * one that orphans goes once its dependents have forgotten it. Follows all resources that are served, custom ones as they come
 * and go.
 *
 * <p>Informers feed the {@link DependencyGraph} and put the uids of what may have to go into a queue; {@link GarbageWorker}
 * decides, by what storage says. Nothing is remembered but in the store: after a start the graph is built from lists, and
 * everything that is due is found again. Thread-safe. Works on virtual threads from {@link #start} to {@link #close}.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/architecture/garbage-collection/">Garbage collection</a>
 */
public final class GarbageCollector implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GarbageCollector.class);

    /** How many objects are worked on at the same time; as many as kube-controller-manager does. */
    private static final int WORKERS = 20;

    /** How many objects may wait: all. Each has a node in the graph, which is no smaller than its entry in the queue. */
    private static final int MAX_WAITING = Integer.MAX_VALUE;

    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofSeconds(60));

    /** Events own nothing and are owned by nobody, and there are many. */
    private static final GroupResource EVENTS = new GroupResource("", "events");

    private final Supplier<? extends Collection<RegistryStore>> stores;
    private final InstantSource clock;
    private final Backoff backoff;
    private final DependencyGraph graph = new DependencyGraph();
    private final Owners owners;
    private final WorkQueue<String> queue;
    private final OnDemand syncing = new OnDemand("garbage-collector", this::sync);
    private final ReentrantLock lock = new ReentrantLock();

    /** How often all objects of some resource were begun to be told. */
    private final AtomicInteger rounds = new AtomicInteger();

    @GuardedBy("lock")
    private final Map<GroupResource, Following> following = new HashMap<>();

    private volatile ServedKinds served = ServedKinds.NONE;

    /**
     * @param stores of all resources that are served at the time of the call, one a resource
     * @param events where warnings go
     */
    public GarbageCollector(
            Supplier<? extends Collection<RegistryStore>> stores, RegistryStore events, InstantSource clock) {
        this(stores, events, clock, BACKOFF);
    }

    GarbageCollector(
            Supplier<? extends Collection<RegistryStore>> stores,
            RegistryStore events,
            InstantSource clock,
            Backoff backoff) {
        this.stores = stores;
        this.clock = clock;
        this.backoff = backoff;
        this.owners = new Owners(() -> served, clock);
        var recorder = new EventRecorder(events, "garbage-collector-controller", clock);
        var worker = new GarbageWorker(() -> served, graph, owners, recorder, this::synced, clock);
        this.queue = new WorkQueue<>("garbage", WORKERS, MAX_WAITING, backoff, (uid, age) -> worker.work(uid));
    }

    /** Begins to follow all resources; returns at once, whether or not the store can be reached. */
    public void start() {
        queue.start();
        syncing.wake();
    }

    /** Says that resources have come, gone or changed their stores. */
    public void resourcesChanged() {
        syncing.wake();
    }

    /** Whether everything that there is has been seen once. */
    public boolean synced() {
        lock.lock();
        try {
            return !following.isEmpty() && following.values().stream().allMatch(each -> each.informer.synced());
        } finally {
            lock.unlock();
        }
    }

    /** How many objects the graph holds. */
    int size() {
        return graph.size();
    }

    private void enqueue(String uid) {
        // Never refused: there is room for all.
        var _ = queue.add(uid);
    }

    // ---- resources

    private void sync() {
        boolean closed = syncing.closed();
        var now = new HashMap<GroupResource, RegistryStore>();
        for (RegistryStore store : closed ? Set.<RegistryStore>of() : stores.get()) {
            now.put(store.definition().resource(), store);
        }
        if (!closed) {
            served = new ServedKinds(now.values());
        }
        now.remove(EVENTS);
        var ended = new ArrayList<Following>();
        var begun = new ArrayList<Following>();
        lock.lock();
        try {
            following.values().removeIf(each -> each.store != now.get(each.resource) && ended.add(each));
            now.forEach((resource, store) -> following.computeIfAbsent(resource, any -> {
                var each = new Following(resource, store);
                begun.add(each);
                return each;
            }));
        } finally {
            lock.unlock();
        }
        for (Following each : ended) {
            each.informer.close();
            if (!closed && !now.containsKey(each.resource)) {
                ended(each);
            }
        }
        // Afterwards, since what an old informer tells last must not be taken for news.
        begun.forEach(each -> each.informer.start());
        graph.takeUnknownOwners().forEach(this::enqueue);
    }

    /** A resource is served no longer. */
    private void ended(Following each) {
        graph.of(each.resource).forEach(this::forget);
        for (Item item : graph.withOwnersOfKind(each.store.definition().kind().kind())) {
            if (!item.meta().namespace().isEmpty() || !each.store.definition().namespaced()) {
                try {
                    owners.lastLook(each.store, item.meta());
                } catch (StorageException | ApiException e) {
                    LOG.warn("The owners of {} cannot be found: {}", item.meta().name(), e.getMessage());
                }
                enqueue(item.meta().uid());
            }
        }
    }

    /** Feeds the graph with the objects of one resource. */
    private final class Following implements Informer.Sink {
        private final GroupResource resource;
        private final RegistryStore store;
        private final Informer informer;
        private int round;

        Following(GroupResource resource, RegistryStore store) {
            this.resource = resource;
            this.store = store;
            this.informer = new Informer(store.asStored(), backoff, clock, this);
        }

        @Override
        public void begin() {
            round = rounds.incrementAndGet();
        }

        @Override
        public boolean put(ApiObject object) {
            ObjectMeta meta = object.meta();
            Change change = graph.put(resource, meta, round);
            if (change.waits()) {
                enqueue(meta.uid());
                if (DependencyGraph.waitsForDependents(meta)) {
                    graph.dependents(meta.uid()).forEach(GarbageCollector.this::enqueue);
                }
            } else if (change.owners() && !meta.beingDeleted() && !owners.allSolid(meta)) {
                enqueue(meta.uid());
            }
            change.waiting().forEach(GarbageCollector.this::enqueue);
            return true;
        }

        @Override
        public void remove(ApiObject last) {
            Gone gone = graph.remove(last.meta().uid());
            if (!gone.dependents().isEmpty()) {
                owners.gone(store.definition().kind(), last.meta());
            }
            lookAt(gone);
        }

        @Override
        public void complete() {
            graph.unseen(resource, round).forEach(GarbageCollector.this::forget);
            // An owner may have gone after it was seen to be there and before it would have been seen to go.
            for (Item item : graph.withOwnersOfKind(store.definition().kind().kind())) {
                if (!item.meta().beingDeleted() && !owners.allSolid(item.meta())) {
                    enqueue(item.meta().uid());
                }
            }
        }
    }

    private void forget(String uid) {
        lookAt(graph.remove(uid));
    }

    private void lookAt(Gone gone) {
        gone.dependents().forEach(this::enqueue);
        gone.waiting().forEach(this::enqueue);
    }

    /** Stops the work; what is under way has a few seconds to end. */
    @Override
    public void close() {
        // First, since nothing more may be begun; the last run of the other ends all informers.
        queue.close();
        syncing.close();
    }
}
