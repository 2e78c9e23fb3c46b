package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.embedded.MutableClock;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeaseManagerTest {
    private static final long HOUR = 3600;

    private final MutableClock clock = new MutableClock();
    private final KvStore store = EmbeddedKvStore.open(new EmbeddedOptions(EmbeddedOptions.MEMORY, clock));
    private final LeaseManager leases = new LeaseManager(store, clock);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void anObjectThatStaysHasNone() {
        assertThat(leases.leaseFor(0)).isZero();
        assertThat(leases.leaseFor(-1)).isZero();
    }

    @Test
    void objectsMadeCloseTogetherShareOne() {
        long first = leases.leaseFor(HOUR);
        clock.advance(Duration.ofSeconds(59));
        assertThat(leases.leaseFor(HOUR)).isEqualTo(first);
        clock.advance(Duration.ofSeconds(1));
        assertThat(leases.leaseFor(HOUR)).isNotEqualTo(first);
        assertThat(leases.leaseFor(HOUR + 1)).isNotEqualTo(leases.leaseFor(HOUR));
    }

    @Test
    void aLeaseIsSharedByAThousandObjectsAtMost() {
        Set<Long> ids = new HashSet<>();
        for (int i = 0; i < 2001; i++) {
            ids.add(leases.leaseFor(HOUR));
        }
        assertThat(ids).hasSize(3);
    }

    @Test
    void aLeaseTooShortToBeLengthenedIsNotShared() {
        // A lease's time has whole seconds: what is added to 19 s for sharing would be none.
        long first = leases.leaseFor(19);
        clock.advance(Duration.ofMillis(1));
        assertThat(leases.leaseFor(19)).isNotEqualTo(first);
        long shared = leases.leaseFor(20);
        clock.advance(Duration.ofMillis(999));
        assertThat(leases.leaseFor(20)).isEqualTo(shared);
    }
}
