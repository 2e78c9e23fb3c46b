package io.keelson.storage.etcd;

import io.keelson.storage.kv.KvStore;
import io.keelson.storage.kv.KvStoreContract;
import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** The contract of every store, on an etcd with reliable progress and on one without. */
final class EtcdKvStoreContractTest {
    private static EtcdServer etcd34;
    private static EtcdServer etcd35;

    @BeforeAll
    static void start() {
        etcd34 = EtcdServer.start(EtcdVersion.V3_4);
        etcd35 = EtcdServer.start(EtcdVersion.V3_5);
    }

    @AfterAll
    static void stop() {
        etcd34.close();
        etcd35.close();
    }

    @Nested
    final class Etcd34 extends OnEtcd {
        @Override
        protected KvStore openStore() {
            return EtcdKvStore.connect(EtcdOptions.plain(etcd34.endpoint()));
        }
    }

    @Nested
    final class Etcd35 extends OnEtcd {
        @Override
        protected KvStore openStore() {
            return EtcdKvStore.connect(EtcdOptions.plain(etcd35.endpoint()));
        }
    }

    abstract static class OnEtcd extends KvStoreContract {
        @Override
        public boolean keepsDeletionAtCompactRevision() {
            return false;
        }
    }
}
