package io.keelson.controllers;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.GroupResource;
import io.keelson.api.ObjectMeta;
import io.keelson.api.OwnerReference;
import io.keelson.registry.PropagationPolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Which objects depend on which, by uid. Thread-safe.
 *
 * <p>An object has a node only where it names owners, or waits for its dependents to go or to be let go; an owner that others
 * name is no more than its uid and the list of its dependents. So objects that have nothing to do with owners cost nothing, and
 * a dependent with one owner about a hundred bytes: its metadata is the cache's own. Lists are linked through their entries,
 * which takes a dependent out of the thousands of one owner without looking at them.
 */
final class DependencyGraph {
    /** An object that has a node. */
    record Item(GroupResource resource, ObjectMeta meta) {}

    /**
     * What a state of an object changed.
     *
     * @param owners whether it names owners that it did not name before
     * @param waits whether it has begun to wait for its dependents
     * @param waiting the owners it had that wait for their dependents, by uid; none where it names the same ones as before
     */
    record Change(boolean owners, boolean waits, List<String> waiting) {
        static final Change NONE = new Change(false, false, List.of());
    }

    /**
     * Who is to be looked at once an object has gone, by uid.
     *
     * @param dependents those that named it as their owner
     * @param waiting the owners it had that wait for their dependents
     */
    record Gone(List<String> dependents, List<String> waiting) {}

    private static final class Node {
        private GroupResource resource;
        private ObjectMeta meta;
        private int round;
        private boolean unknownOwner;
        private @Nullable Edge owners;

        Node(GroupResource resource, ObjectMeta meta) {
            this.resource = resource;
            this.meta = meta;
        }
    }

    /** An object as far as others name it as their owner. */
    private static final class Owner {
        private final String uid;
        private @Nullable Edge dependents;

        Owner(String uid) {
            this.uid = uid;
        }
    }

    /** That one object names another as its owner; an entry of the lists of both. */
    private static final class Edge {
        private final Node dependent;
        private final Owner owner;
        private final String ownerKind;

        /** The next owner of the same dependent. */
        private final @Nullable Edge more;

        private @Nullable Edge previous;
        private @Nullable Edge next;

        Edge(Node dependent, Owner owner, String ownerKind) {
            this.dependent = dependent;
            this.owner = owner;
            this.ownerKind = ownerKind;
            this.more = dependent.owners;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, Node> nodes = new HashMap<>();

    @GuardedBy("lock")
    private final Map<String, Owner> owners = new HashMap<>();

    /** How often each kind is named as that of an owner. */
    @GuardedBy("lock")
    private final Map<String, Integer> ownerKinds = new HashMap<>();

    /** Whether an object waits until its dependents are gone. */
    static boolean waitsForDependents(ObjectMeta meta) {
        return meta.beingDeleted() && meta.finalizers().contains(PropagationPolicy.FOREGROUND_FINALIZER);
    }

    /** Whether an object waits until its dependents are let go. */
    static boolean waitsForOrphans(ObjectMeta meta) {
        return meta.beingDeleted() && meta.finalizers().contains(PropagationPolicy.ORPHAN_FINALIZER);
    }

    private static boolean waits(ObjectMeta meta) {
        return waitsForDependents(meta) || waitsForOrphans(meta);
    }

    /**
     * Takes the state of an object.
     *
     * @param round of telling all objects of the resource, see {@link #unseen}
     */
    Change put(GroupResource resource, ObjectMeta meta, int round) {
        boolean relevant = !meta.ownerReferences().isEmpty() || waits(meta);
        lock.lock();
        try {
            Node node = nodes.get(meta.uid());
            if (node == null) {
                if (!relevant) {
                    return Change.NONE;
                }
                node = new Node(resource, meta);
                node.round = round;
                nodes.put(meta.uid(), node);
                link(node);
                return new Change(node.owners != null, waits(meta), List.of());
            }
            ObjectMeta old = node.meta;
            node.resource = resource;
            node.meta = meta;
            node.round = round;
            boolean same = old.ownerReferences().equals(meta.ownerReferences());
            List<String> waiting = List.of();
            if (!same) {
                waiting = unlink(node);
                link(node);
            }
            if (!relevant) {
                nodes.remove(meta.uid());
            }
            return new Change(!same && node.owners != null, waits(meta) && !waits(old), waiting);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void link(Node node) {
        for (OwnerReference reference : node.meta.ownerReferences()) {
            Owner owner = owners.computeIfAbsent(reference.uid(), Owner::new);
            var edge = new Edge(node, owner, reference.kind());
            edge.next = owner.dependents;
            if (edge.next != null) {
                edge.next.previous = edge;
            }
            owner.dependents = edge;
            node.owners = edge;
            ownerKinds.merge(edge.ownerKind, 1, Integer::sum);
        }
    }

    /** Takes a node from the lists of its owners; returns those of them that wait for their dependents. */
    @GuardedBy("lock")
    private List<String> unlink(Node node) {
        var waiting = new ArrayList<String>(0);
        for (Edge edge = node.owners; edge != null; edge = edge.more) {
            Owner owner = edge.owner;
            if (edge.next != null) {
                edge.next.previous = edge.previous;
            }
            if (edge.previous != null) {
                edge.previous.next = edge.next;
            } else {
                owner.dependents = edge.next;
            }
            if (owner.dependents == null) {
                owners.remove(owner.uid);
            }
            ownerKinds.computeIfPresent(edge.ownerKind, (kind, count) -> count == 1 ? null : count - 1);
            Node known = nodes.get(owner.uid);
            if (known != null && waitsForDependents(known.meta)) {
                waiting.add(owner.uid);
            }
        }
        node.owners = null;
        return waiting;
    }

    /** Takes an object out. */
    Gone remove(String uid) {
        lock.lock();
        try {
            Node node = nodes.remove(uid);
            return new Gone(dependentUids(uid), node == null ? List.of() : unlink(node));
        } finally {
            lock.unlock();
        }
    }

    /** The objects of a resource that an earlier round told of and this one did not, by uid. */
    List<String> unseen(GroupResource resource, int round) {
        return uidsWhere(node -> node.round != round && node.resource.equals(resource));
    }

    /** All objects of a resource, by uid. */
    List<String> of(GroupResource resource) {
        return uidsWhere(node -> node.resource.equals(resource));
    }

    /** The objects that name owners of a kind, whatever its group. */
    List<Item> withOwnersOfKind(String kind) {
        lock.lock();
        try {
            if (!ownerKinds.containsKey(kind)) {
                return List.of();
            }
            var found = new ArrayList<Item>();
            for (Node node : nodes.values()) {
                for (Edge edge = node.owners; edge != null; edge = edge.more) {
                    if (edge.ownerKind.equals(kind)) {
                        found.add(new Item(node.resource, node.meta));
                        break;
                    }
                }
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** Remembers that an object names an owner of a kind that is not served. */
    void noteUnknownOwner(String uid) {
        lock.lock();
        try {
            Node node = nodes.get(uid);
            if (node != null) {
                node.unknownOwner = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** The objects that {@link #noteUnknownOwner} was told of, by uid, and forgets that it was. */
    List<String> takeUnknownOwners() {
        lock.lock();
        try {
            var taken = new ArrayList<String>();
            for (Node node : nodes.values()) {
                if (node.unknownOwner) {
                    node.unknownOwner = false;
                    taken.add(node.meta.uid());
                }
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private List<String> uidsWhere(Predicate<Node> wanted) {
        lock.lock();
        try {
            var found = new ArrayList<String>();
            for (Node node : nodes.values()) {
                if (wanted.test(node)) {
                    found.add(node.meta.uid());
                }
            }
            return found;
        } finally {
            lock.unlock();
        }
    }

    /** An object with a node, null where there is none. */
    @Nullable
    Item find(String uid) {
        lock.lock();
        try {
            Node node = nodes.get(uid);
            return node == null ? null : new Item(node.resource, node.meta);
        } finally {
            lock.unlock();
        }
    }

    /** The objects that name an owner, by uid. */
    List<String> dependents(String owner) {
        lock.lock();
        try {
            return dependentUids(owner);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private List<String> dependentUids(String uid) {
        Owner owner = owners.get(uid);
        if (owner == null) {
            return List.of();
        }
        var found = new ArrayList<String>();
        for (Edge edge = owner.dependents; edge != null; edge = edge.next) {
            found.add(edge.dependent.meta.uid());
        }
        return found;
    }

    /** Whether an object that is named as an owner has dependents. */
    boolean hasDependents(String owner) {
        return anyDependent(owner, dependent -> true);
    }

    /** Whether an owner has dependents that it may not go before. */
    boolean hasBlockingDependents(String owner) {
        return anyDependent(
                owner,
                dependent -> dependent.meta.ownerReferences().stream()
                        .anyMatch(reference -> reference.blockOwnerDeletion()
                                && reference.uid().equals(owner)));
    }

    /** Whether some dependent of an owner waits for its own dependents. */
    boolean hasWaitingDependents(String owner) {
        return anyDependent(owner, dependent -> waitsForDependents(dependent.meta));
    }

    private boolean anyDependent(String uid, Predicate<Node> wanted) {
        lock.lock();
        try {
            Owner owner = owners.get(uid);
            for (Edge edge = owner == null ? null : owner.dependents; edge != null; edge = edge.next) {
                if (wanted.test(edge.dependent)) {
                    return true;
                }
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** How many objects have a node. */
    int size() {
        lock.lock();
        try {
            return nodes.size();
        } finally {
            lock.unlock();
        }
    }
}
