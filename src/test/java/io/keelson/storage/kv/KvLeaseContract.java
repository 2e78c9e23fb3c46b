package io.keelson.storage.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.storage.StorageException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The contract of leases. */
public interface KvLeaseContract extends KvContext {
    long TTL_SECONDS = 2;
    long LONG_TTL_SECONDS = 3600;

    @Test
    default void theEndOfALeaseDeletesItsKeys() {
        long lease = store().grantLease(TTL_SECONDS);
        assertThat(lease).isPositive();
        long a = store().put(key("a"), KvContext.bytes("1"), 0, lease).revision();
        store().put(key("b"), KvContext.bytes("1"), 0, lease);
        create("c", "stays");
        assertThat(store().get(key("a")).kv().lease()).isEqualTo(lease);
        RecordingWatchSink sink = watchAll(a);
        passTime(Duration.ofSeconds(TTL_SECONDS + 1));
        var events = sink.awaitEvents(5);
        assertThat(events.subList(3, 5)).allSatisfy(event -> {
            assertThat(event.deleted()).isTrue();
            assertThat(event.previous()).isNotNull();
            assertThat(event.previous().lease()).isEqualTo(lease);
        });
        assertThat(events.subList(3, 5)).extracting(KvEvent::key).containsExactlyInAnyOrder(key("a"), key("b"));
        assertThat(store().range(start(), end(), 0, 10).kvs())
                .extracting(KeyValue::key)
                .containsExactly(key("c"));
    }

    @Test
    default void aWriteWithoutALeaseUnbindsTheKey() {
        long lease = store().grantLease(TTL_SECONDS);
        long a = store().put(key("a"), KvContext.bytes("1"), 0, lease).revision();
        store().put(key("b"), KvContext.bytes("1"), 0, lease);
        put("a", "stays", a);
        assertThat(store().get(key("a")).kv().lease()).isZero();
        RecordingWatchSink sink = watchAll(a);
        passTime(Duration.ofSeconds(TTL_SECONDS + 1));
        KvEvent last = sink.awaitEvents(4).getLast();
        assertThat(last.key()).isEqualTo(key("b"));
        assertThat(last.deleted()).isTrue();
        assertThat(KvContext.text(store().get(key("a")).kv().value())).isEqualTo("stays");
    }

    @Test
    default void aWriteWithAnotherLeaseMovesTheKey() {
        long brief = store().grantLease(TTL_SECONDS);
        long lasting = store().grantLease(LONG_TTL_SECONDS);
        assertThat(lasting).isNotEqualTo(brief);
        long a = store().put(key("a"), KvContext.bytes("1"), 0, brief).revision();
        store().put(key("b"), KvContext.bytes("1"), 0, brief);
        store().put(key("a"), KvContext.bytes("2"), a, lasting);
        RecordingWatchSink sink = watchAll(a);
        passTime(Duration.ofSeconds(TTL_SECONDS + 1));
        assertThat(sink.awaitEvents(4).getLast().key()).isEqualTo(key("b"));
        assertThat(store().get(key("a")).kv().lease()).isEqualTo(lasting);
    }

    @Test
    default void anUnknownLeaseIsRefused() {
        long now = store().currentRevision();
        assertThatThrownBy(() -> store().put(key("a"), KvContext.bytes("1"), 0, 123_456_789L))
                .isInstanceOf(StorageException.class);
        assertThat(store().currentRevision()).isEqualTo(now);
        assertThat(store().get(key("a")).kv()).isNull();
    }
}
