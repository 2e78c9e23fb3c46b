package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.ApiObject;
import org.junit.jupiter.api.Test;

/** The contract of get. */
public interface GetContract extends StorageContext {
    int WRITES_READ_BACK = 40;

    @Test
    default void anAbsentKeyIsNotFound() {
        long revision = create("ns/a", "1").resourceVersion();
        assertThatThrownBy(() -> storage().get(key("ns/b"), null)).isInstanceOf(StorageException.KeyNotFound.class);
        assertThatThrownBy(() -> storage().get(key("ns/b"), 0L)).isInstanceOf(StorageException.KeyNotFound.class);
        assertThatThrownBy(() -> storage().get(key("ns/b"), revision)).isInstanceOf(StorageException.KeyNotFound.class);
    }

    @Test
    default void aGetWithoutRevisionReadsItsClientsWrites() {
        create("ns/a", "0");
        for (int i = 1; i <= WRITES_READ_BACK; i++) {
            ApiObject written = set("ns/a", "v" + i);
            assertThat(storage().get(key("ns/a"), null).json()).isEqualTo(written.json());
        }
        delete("ns/a");
        assertThatThrownBy(() -> storage().get(key("ns/a"), null)).isInstanceOf(StorageException.KeyNotFound.class);
    }

    @Test
    default void aGetIsNotOlderThanItsRevision() {
        create("ns/a", "0");
        for (int i = 1; i <= WRITES_READ_BACK; i++) {
            ApiObject written = set("ns/a", "v" + i);
            assertThat(storage().get(key("ns/a"), written.resourceVersion()).json())
                    .isEqualTo(written.json());
        }
        assertThat(StorageContext.value(storage().get(key("ns/a"), 0L))).isEqualTo("v" + WRITES_READ_BACK);
        assertThat(StorageContext.value(storage().get(key("ns/a"), 1L))).isEqualTo("v" + WRITES_READ_BACK);
    }

    @Test
    default void aRevisionThatIsYetToComeIsTooLarge() {
        create("ns/a", "1");
        Storage impatient = impatientStorage();
        long future = storage().currentResourceVersion() + 100;
        assertThatThrownBy(() -> impatient.get(key("ns/a"), future))
                .isInstanceOfSatisfying(StorageException.TooLargeResourceVersion.class, e -> {
                    assertThat(e.asked()).isEqualTo(future);
                    assertThat(e.current()).isLessThan(future);
                });
    }
}
