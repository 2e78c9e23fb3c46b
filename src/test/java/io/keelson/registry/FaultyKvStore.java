package io.keelson.registry;

import io.keelson.storage.StorageException;
import io.keelson.storage.kv.ForwardingKvStore;
import io.keelson.storage.kv.KvStore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A store that can be told to be out of reach for a while. Thread-safe. */
public final class FaultyKvStore extends ForwardingKvStore {
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicLong uses = new AtomicLong();

    FaultyKvStore(KvStore store) {
        super(store);
    }

    /** Lets some calls pass and fails some that follow. */
    public void failAfter(int passing, int failing) {
        calls.set(passing);
        failures.set(failing);
    }

    /** How many of the failures that were asked for are still to come. */
    public int failuresLeft() {
        return failures.get();
    }

    /** How often the store was asked for something. */
    public long uses() {
        return uses.get();
    }

    @Override
    protected KvStore target() {
        uses.incrementAndGet();
        if (failures.get() > 0 && calls.getAndDecrement() <= 0 && failures.getAndDecrement() > 0) {
            throw new StorageException.Unreachable("the test's store is out of reach", null);
        }
        return super.target();
    }
}
