package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.IpAddresses;
import io.keelson.resources.fields.Trees;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Hands out the cluster addresses and node ports of services, to all servers of a store. Which ones are in use it learns
 * from the services that exist when it is first asked. Thread-safe.
 */
public final class ServiceAllocator {
    /** The services that exist, read when the first number is asked for. The server supplies it. */
    @FunctionalInterface
    public interface ExistingServices {
        Iterable<ObjectNode> list();
    }

    /** Where cluster addresses are from. */
    public static final String RANGE = "10.96.0.0/16";

    /** Cluster addresses: {@link #RANGE} without its first (the network) and last (broadcast) address. */
    private static final String FIRST_ADDRESS = "10.96.0.1";

    private static final int ADDRESSES = 65_534;
    private static final int FIRST_NODE_PORT = 30_000;
    private static final int NODE_PORTS = 2_768;

    private final ExistingServices existing;
    private final SharedNumbers addresses;
    private final SharedNumbers nodePorts;
    private volatile boolean seeded;

    /** For one server that keeps all in memory. */
    public ServiceAllocator(ExistingServices existing) {
        this(existing, Reservations.inMemory(), Reservations.inMemory());
    }

    public ServiceAllocator(ExistingServices existing, Reservations addresses, Reservations nodePorts) {
        this(existing, addresses, nodePorts, RandomGenerator.getDefault());
    }

    ServiceAllocator(
            ExistingServices existing, Reservations addresses, Reservations nodePorts, RandomGenerator random) {
        this.existing = existing;
        this.addresses =
                new SharedNumbers(new NumberPool(IpAddresses.toNumber(FIRST_ADDRESS), ADDRESSES, random), addresses);
        this.nodePorts = new SharedNumbers(new NumberPool(FIRST_NODE_PORT, NODE_PORTS, random), nodePorts);
    }

    /** A free cluster address, or nothing where all are taken. */
    Optional<String> takeAddress(boolean dryRun) {
        seed();
        OptionalLong number = addresses.take(dryRun);
        return number.isPresent() ? Optional.of(IpAddresses.toText(number.getAsLong())) : Optional.empty();
    }

    /** Whether an address is one that services can have; the other family is not this allocator's business. */
    boolean isAddress(String address) {
        return !IpAddresses.isIpv4(address) || addresses.contains(IpAddresses.toNumber(address));
    }

    /** Takes one address; false where it is taken already. */
    boolean takeAddress(String address, boolean dryRun) {
        seed();
        return !IpAddresses.isIpv4(address) || addresses.take(IpAddresses.toNumber(address), dryRun);
    }

    void giveBackAddress(String address, boolean dryRun) {
        if (IpAddresses.isIpv4(address)) {
            addresses.giveBack(IpAddresses.toNumber(address), dryRun);
        }
    }

    /** A free node port, or nothing where all are taken. */
    OptionalLong takeNodePort(boolean dryRun) {
        seed();
        return nodePorts.take(dryRun);
    }

    /** Takes one node port; false where it is taken already. */
    boolean takeNodePort(long port, boolean dryRun) {
        seed();
        return nodePorts.take(port, dryRun);
    }

    boolean isNodePort(long port) {
        return nodePorts.contains(port);
    }

    void giveBackNodePort(long port, boolean dryRun) {
        nodePorts.giveBack(port, dryRun);
    }

    /**
     * Reading twice at once is harmless, since reserving what is in use again changes nothing. No lock is held while reading.
     */
    private void seed() {
        if (seeded) {
            return;
        }
        var usedAddresses = new HashSet<Long>();
        var usedPorts = new HashSet<Long>();
        for (ObjectNode service : existing.list()) {
            String address = Trees.text(service, "spec", "clusterIP");
            if (IpAddresses.isIpv4(address)) {
                usedAddresses.add(IpAddresses.toNumber(address));
            }
            usedPorts.addAll(ServiceHooks.nodePorts(service));
        }
        addresses.seed(usedAddresses);
        nodePorts.seed(usedPorts);
        seeded = true;
    }
}
