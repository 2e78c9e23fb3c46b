package io.keelson.registry;

/** What becomes of the objects that a deleted object owns; the wire form is the name with a capital letter. */
public enum PropagationPolicy {
    BACKGROUND("Background"),
    FOREGROUND("Foreground"),
    ORPHAN("Orphan");

    /** The finalizer of an object that waits until its dependents are gone. */
    public static final String FOREGROUND_FINALIZER = "foregroundDeletion";

    /** The finalizer of an object that waits until its dependents have let go of it. */
    public static final String ORPHAN_FINALIZER = "orphan";

    private final String wire;

    PropagationPolicy(String wire) {
        this.wire = wire;
    }

    public String wire() {
        return wire;
    }
}
