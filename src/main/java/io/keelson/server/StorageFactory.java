package io.keelson.server;

import io.keelson.storage.embedded.DataFolderLockedException;
import io.keelson.storage.embedded.EmbeddedKvStore;
import io.keelson.storage.embedded.EmbeddedOptions;
import io.keelson.storage.etcd.EtcdKvStore;
import io.keelson.storage.etcd.EtcdOptions;
import io.keelson.storage.kv.KvStore;
import java.time.InstantSource;

/** Opens the store that the configuration names. The one place that knows the implementations. */
final class StorageFactory {
    static final String EMBEDDED = "embedded";
    static final String ETCD = "etcd3";

    private StorageFactory() {}

    /** Whether the store keeps files in the folder that the configuration names. */
    static boolean hasDataFolder(KeelsonConfig.Storage config) {
        return config.type().equals(EMBEDDED) && !config.path().equals(EmbeddedOptions.MEMORY);
    }

    /** Whether other servers may work on the same store. */
    static boolean isShared(KeelsonConfig.Storage config) {
        return !config.type().equals(EMBEDDED);
    }

    static KvStore open(KeelsonConfig.Storage config, InstantSource clock) {
        return switch (config.type()) {
            case EMBEDDED -> openEmbedded(config, clock);
            case ETCD -> EtcdKvStore.connect(etcdOptions(config.etcd()));
            default ->
                throw new StartupException(
                        StartupException.BAD_SETTING,
                        "keelson.storage.type is \"" + config.type() + "\"; it must be " + EMBEDDED + " or " + ETCD,
                        null);
        };
    }

    private static KvStore openEmbedded(KeelsonConfig.Storage config, InstantSource clock) {
        try {
            return EmbeddedKvStore.open(new EmbeddedOptions(config.path(), clock));
        } catch (DataFolderLockedException e) {
            throw new StartupException(StartupException.DATA_LOCKED, String.valueOf(e.getMessage()), e);
        }
    }

    private static EtcdOptions etcdOptions(KeelsonConfig.Storage.Etcd etcd) {
        if (etcd.certFile().isPresent() != etcd.keyFile().isPresent()) {
            throw new StartupException(
                    StartupException.BAD_SETTING,
                    "keelson.storage.etcd.cert-file and keelson.storage.etcd.key-file must be given together",
                    null);
        }
        return new EtcdOptions(
                etcd.endpoints(),
                etcd.caFile().orElse(null),
                etcd.certFile().orElse(null),
                etcd.keyFile().orElse(null),
                etcd.quorum(),
                EtcdOptions.DEFAULT_TIMEOUT);
    }
}
