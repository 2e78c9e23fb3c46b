package io.keelson.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupResource;
import io.keelson.api.Json;
import io.keelson.apiextensions.definition.CustomResourceDefinitions;
import io.keelson.cacher.Cacher;
import io.keelson.cacher.HistoryBudget;
import io.keelson.controllers.CustomResourceController;
import io.keelson.endpoints.ResourceRegistry;
import io.keelson.registry.Admission;
import io.keelson.registry.RegistryStore;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.StoredVersion;
import io.keelson.resources.BuiltinResources;
import io.keelson.resources.BuiltinSubresources;
import io.keelson.resources.NamespaceAdmission;
import io.keelson.resources.PodClasses;
import io.keelson.resources.apiregistration.ApiServices;
import io.keelson.resources.authorization.Reviews;
import io.keelson.resources.core.ComponentStatuses;
import io.keelson.resources.core.ServiceAllocator;
import io.keelson.resources.pods.BindingRest;
import io.keelson.storage.ListOptions;
import io.keelson.storage.StorageException;
import io.keelson.storage.kv.Compactor;
import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.StoreStatus;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole server below HTTP: the store, the layers of every resource and what runs beside them. Started once, stopped
 * once.
 */
final class ApiServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final Duration TICK = Duration.ofSeconds(1);

    /** How often storage is asked how far it is, and caches that hear nothing are told, in ticks. */
    private static final int PROGRESS_TICKS = 5;

    private final KvStore kv;
    private final StoreProbe probe;
    private final Compactor compactor;
    private final HistoryBudget budget;
    private final ResourceRegistry resources = new ResourceRegistry();
    private final List<ResourceStack> stacks = new ArrayList<>();
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("keelson-timer").factory());
    private final CustomResourceStacks customResources;
    private final CustomResourceController customResourceController;
    private final LocalApiServices apiServices;
    private final Bootstrap bootstrap;
    private final ControllerManager controllers;
    private int ticks;

    ApiServer(KeelsonConfig config, KvStore kv, InstantSource clock, RandomGenerator random) {
        this.kv = kv;
        this.probe = new StoreProbe(kv);
        this.compactor = new Compactor(kv, config.storage().compactionInterval());
        var admission = new PodClasses(
                new NamespaceAdmission(() -> storeOf("", "namespaces")),
                () -> findStore("scheduling.k8s.io", "priorityclasses"),
                () -> findStore("node.k8s.io", "runtimeclasses"));
        var allocator = new ServiceAllocator(
                () -> everyService(clock),
                ResourceStack.reservations("serviceips", kv, config, clock),
                ResourceStack.reservations("servicenodeports", kv, config, clock));
        Set<String> groups = BuiltinGroups.of(config);
        var builtins = new ArrayList<>(BuiltinResources.ofGroups(allocator, groups));
        builtins.add(CustomResourceDefinitions.definition());
        this.budget = ResourceStack.historyBudget(config);
        for (ResourceDefinition definition : builtins) {
            install(definition, config, admission, clock, random);
        }
        Reviews.all().stream()
                .filter(review -> groups.contains(review.definition().kind().group()))
                .forEach(resources::install);
        resources.install(new BindingRest(storeOf("", "pods"), BindingRest.bindings()));
        resources.install(new ComponentStatuses(() -> probe.look().error()));
        this.customResources = new CustomResourceStacks(resources, kv, config, budget, admission, clock, random);
        this.customResourceController = new CustomResourceController(
                storeOf(CustomResourceDefinitions.GROUP, CustomResourceDefinitions.PLURAL),
                customResources,
                builtins,
                clock);
        this.apiServices = new LocalApiServices(findStore(ApiServices.GROUP, ApiServices.PLURAL), resources, clock);
        this.bootstrap = new Bootstrap(stacks.stream().map(ResourceStack::store).toList(), apiServices, clock);
        this.controllers = new ControllerManager(
                config,
                StorageFactory.isShared(config.storage()) ? ResourceStack.leases(kv, config, clock, random) : null,
                this::stores,
                this::storeOf,
                clock);
        customResources.onChange(controllers::resourcesChanged);
    }

    /** The stored version of a resource comes before its others, which share its layers. */
    private void install(
            ResourceDefinition definition,
            KeelsonConfig config,
            Admission admission,
            InstantSource clock,
            RandomGenerator random) {
        StoredVersion stored = definition.storedAs();
        if (stored != null) {
            GroupResource resource = stored.definition().resource();
            resources.installConverted(definition, storeOf(resource.group(), resource.resource()));
            return;
        }
        ResourceStack stack = ResourceStack.build(definition, kv, config, budget, admission, clock, random);
        stacks.add(stack);
        resources.install(stack.store(), BuiltinSubresources.of(stack.store(), this::disruptionBudgets));
    }

    private @Nullable RegistryStore disruptionBudgets() {
        return findStore("policy", "poddisruptionbudgets");
    }

    private List<RegistryStore> stores() {
        return Stream.concat(stacks.stream().map(ResourceStack::store), customResources.stores().stream())
                .toList();
    }

    private List<ObjectNode> everyService(InstantSource clock) {
        RequestContext everywhere = RequestContext.internal("", clock.instant());
        return storeOf("", "services").list(everywhere, ListOptions.LATEST).items().stream()
                .map(service -> Json.parseTrusted(service.json()))
                .toList();
    }

    /** Begins to follow storage; returns at once, whether or not the store can be reached. */
    void start() {
        for (ResourceStack stack : stacks) {
            if (stack.cacher() != null) {
                stack.cacher().start();
            }
        }
        customResourceController.start();
        bootstrap.start();
        controllers.start();
        var _ = timer.scheduleAtFixedRate(this::tickSafely, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A timer would end with the first tick that fails. */
    private void tickSafely() {
        try {
            tick();
        } catch (RuntimeException e) {
            LOG.warn("A regular look failed", e);
        }
    }

    private void tick() {
        for (ResourceStack stack : stacks) {
            Cacher cacher = stack.cacher();
            if (cacher != null) {
                cacher.tick();
            }
        }
        customResources.tick();
        if (bootstrap.done()) {
            apiServices.tick();
        }
        if (++ticks % PROGRESS_TICKS == 0) {
            Thread.ofVirtual().name("storage-sighting").start(this::sightStorage);
        }
    }

    /** Lets caches know how far storage is, and asks it to tell them that they have come as far. */
    void sightStorage() {
        try {
            long asked = System.nanoTime();
            long revision = kv.currentRevision();
            for (ResourceStack stack : stacks) {
                Cacher cacher = stack.cacher();
                if (cacher != null) {
                    cacher.storageAt(revision, asked);
                }
            }
            customResources.storageAt(revision, asked);
            kv.requestProgress();
        } catch (StorageException e) {
            LOG.debug("Storage does not tell how far it is: {}", e.getMessage());
        }
    }

    private RegistryStore storeOf(String group, String resource) {
        RegistryStore store = findStore(group, resource);
        if (store == null) {
            throw new IllegalStateException("the server has no " + resource);
        }
        return store;
    }

    private @Nullable RegistryStore findStore(String group, String resource) {
        for (ResourceStack stack : stacks) {
            RegistryStore store = stack.store();
            if (store.definition().resource().group().equals(group)
                    && store.definition().plural().equals(resource)) {
                return store;
            }
        }
        return null;
    }

    ResourceRegistry resources() {
        return resources;
    }

    List<ResourceStack> stacks() {
        return stacks;
    }

    CustomResourceStacks customResources() {
        return customResources;
    }

    StoreProbe probe() {
        return probe;
    }

    /** The size of the store's database as of the last look, 0 before the first. */
    double databaseBytes() {
        StoreStatus status = probe.last().status();
        return status == null ? 0 : status.databaseBytes();
    }

    /** What the windows of all caches hold together. */
    double historyBytes() {
        return budget.heldBytes();
    }

    boolean bootstrapped() {
        return bootstrap.done();
    }

    /** Whether the custom resources that were defined at the start are served. */
    boolean customResourcesServed() {
        return customResourceController.synced();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        customResourceController.close();
        bootstrap.close();
        controllers.close();
        compactor.close();
        customResources.close();
        for (ResourceStack stack : stacks) {
            stack.store().storage().close();
        }
        kv.close();
    }
}
