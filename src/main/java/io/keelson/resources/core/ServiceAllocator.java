package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.IpAddresses;
import io.keelson.resources.fields.Trees;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * Hands out the cluster addresses and node ports of services. What is taken it learns from the services that exist when
 * it is first asked, then from what it hands out and gets back. Thread-safe.
 *
 * <p>It knows only this server's own allocations after that, so two servers on one store may give one address twice.
 */
public final class ServiceAllocator {
    /** The services that exist, read when the first number is asked for. The server supplies it. */
    @FunctionalInterface
    public interface ExistingServices {
        Iterable<ObjectNode> list();
    }

    /** Cluster addresses: 10.96.0.0/16 without its first (the network) and last (broadcast) address. */
    private static final String FIRST_ADDRESS = "10.96.0.1";

    private static final int ADDRESSES = 65_534;
    private static final int FIRST_NODE_PORT = 30_000;
    private static final int NODE_PORTS = 2_768;

    private final ExistingServices existing;
    private final NumberPool addresses;
    private final NumberPool nodePorts;
    private volatile boolean seeded;

    public ServiceAllocator(ExistingServices existing) {
        this(existing, RandomGenerator.getDefault());
    }

    ServiceAllocator(ExistingServices existing, RandomGenerator random) {
        this.existing = existing;
        this.addresses = new NumberPool(IpAddresses.toNumber(FIRST_ADDRESS), ADDRESSES, random);
        this.nodePorts = new NumberPool(FIRST_NODE_PORT, NODE_PORTS, random);
    }

    /** A free cluster address, or nothing where all are taken. */
    Optional<String> takeAddress() {
        seed();
        OptionalLong number = addresses.take();
        return number.isPresent() ? Optional.of(IpAddresses.toText(number.getAsLong())) : Optional.empty();
    }

    /** Takes one address; false where it is taken already. */
    boolean takeAddress(String address) {
        seed();
        return !IpAddresses.isIpv4(address) || addresses.take(IpAddresses.toNumber(address));
    }

    void giveBackAddress(String address) {
        if (IpAddresses.isIpv4(address)) {
            addresses.giveBack(IpAddresses.toNumber(address));
        }
    }

    /** A free node port, or nothing where all are taken. */
    OptionalLong takeNodePort() {
        seed();
        return nodePorts.take();
    }

    /** Takes one node port; false where it is taken already. */
    boolean takeNodePort(long port) {
        seed();
        return nodePorts.take(port);
    }

    boolean isNodePort(long port) {
        return nodePorts.contains(port);
    }

    void giveBackNodePort(long port) {
        nodePorts.giveBack(port);
    }

    /**
     * Reading twice at once is harmless, since taking a number again changes nothing. No lock is held while reading.
     */
    private void seed() {
        if (seeded) {
            return;
        }
        for (ObjectNode service : existing.list()) {
            String address = Trees.text(service, "spec", "clusterIP");
            if (IpAddresses.isIpv4(address)) {
                addresses.take(IpAddresses.toNumber(address));
            }
            for (ObjectNode port : Trees.objects(Trees.at(service, "spec", "ports"))) {
                if (port.path("nodePort").asLong() > 0) {
                    nodePorts.take(port.path("nodePort").asLong());
                }
            }
        }
        seeded = true;
    }
}
