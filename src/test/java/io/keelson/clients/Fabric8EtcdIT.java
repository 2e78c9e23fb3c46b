package io.keelson.clients;

import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import io.keelson.testing.ServerProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;

/** What {@link Fabric8IT} does, on etcd. */
class Fabric8EtcdIT extends Fabric8IT {
    private EtcdServer etcd;

    @Override
    protected ServerProcess.Builder server(Path folder) {
        etcd = EtcdServer.startWithoutFsync(EtcdVersion.V3_5);
        return ServerProcess.etcd(folder, etcd.endpoint());
    }

    @AfterAll
    void stopEtcd() {
        if (etcd != null) {
            etcd.close();
        }
    }
}
