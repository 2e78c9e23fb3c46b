package io.keelson.server;

import io.keelson.controllers.Controllers;
import io.keelson.controllers.LeaderElector;
import io.keelson.registry.RegistryStore;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the controllers on this server: at once where its store is its own, while it holds the lease where several servers may
 * share the store. Thread-safe.
 */
final class ControllerManager implements AutoCloseable {
    /** Not kube-controller-manager's, which may run beside. */
    private static final String LEASE = "keelson-controllers";

    private final Set<Controllers.Name> wanted;
    private final Supplier<Controllers> maker;
    private final @Nullable LeaderElector elector;
    private volatile @Nullable Controllers running;

    /**
     * @param leases where the lease is; null where the store has no other server
     * @param stores of all resources that are served at the time of the call, one a resource
     * @param storeOf the store of a resource by group and plural, which there is
     */
    ControllerManager(
            KeelsonConfig config,
            @Nullable RegistryStore leases,
            Supplier<? extends Collection<RegistryStore>> stores,
            BiFunction<String, String, RegistryStore> storeOf,
            InstantSource clock) {
        this.wanted = ControllerSettings.wanted(config);
        this.maker = () -> new Controllers(wanted, stores, storeOf, clock);
        this.elector = leases == null
                ? null
                : new LeaderElector(
                        leases, LEASE, identity(), config.controllers().leaseDuration(), clock, this::make);
    }

    private static String identity() {
        String host = System.getenv("HOSTNAME");
        return (host == null ? "keelson" : host) + "_" + UUID.randomUUID();
    }

    /** The controllers for as long as this server runs them; they hold much of what they have seen. */
    private LeaderElector.Work make() {
        Controllers made = maker.get();
        running = made;
        return new LeaderElector.Work() {
            @Override
            public void start() {
                made.start();
            }

            @Override
            public void close() {
                running = null;
                made.close();
            }
        };
    }

    void start() {
        if (wanted.isEmpty()) {
            return;
        }
        if (elector == null) {
            make().start();
        } else {
            elector.start();
        }
    }

    /** Says that resources have come, gone or changed their stores. */
    void resourcesChanged() {
        Controllers present = running;
        if (present != null) {
            present.resourcesChanged();
        }
    }

    /** Stops the work; what is under way has a few seconds to end. */
    @Override
    public void close() {
        Controllers present = running;
        if (elector != null) {
            elector.close();
        } else if (present != null) {
            present.close();
        }
    }
}
