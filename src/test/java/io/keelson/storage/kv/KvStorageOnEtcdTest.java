package io.keelson.storage.kv;

import io.keelson.storage.etcd.EtcdKvStore;
import io.keelson.storage.etcd.EtcdOptions;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** On an etcd with reliable progress and on one without. */
final class KvStorageOnEtcdTest {
    private static EtcdServer etcd34;
    private static EtcdServer etcd35;

    @BeforeAll
    static void start() {
        etcd34 = EtcdServer.startWithoutFsync(EtcdVersion.V3_4);
        etcd35 = EtcdServer.startWithoutFsync(EtcdVersion.V3_5);
    }

    @AfterAll
    static void stop() {
        etcd34.close();
        etcd35.close();
    }

    @Nested
    final class Etcd34 extends KvStorageContract {
        @Override
        protected KvStore openKvStore() {
            return EtcdKvStore.connect(EtcdOptions.plain(etcd34.endpoint()));
        }
    }

    @Nested
    final class Etcd35 extends KvStorageContract {
        @Override
        protected KvStore openKvStore() {
            return EtcdKvStore.connect(EtcdOptions.plain(etcd35.endpoint()));
        }
    }
}
