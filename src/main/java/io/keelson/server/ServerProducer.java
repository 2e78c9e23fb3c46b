package io.keelson.server;

import io.keelson.storage.kv.KvStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Disposes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Makes the server of its configuration. */
@ApplicationScoped
class ServerProducer {
    @Produces
    @Singleton
    @Startup
    ApiServer server(KeelsonConfig config, MeterRegistry meters) {
        ListenPolicy.check(config);
        BuiltinGroups.check(config);
        ControllerSettings.check(config);
        InstantSource clock = InstantSource.system();
        KvStore kv = new MeteredKvStore(StorageFactory.open(config.storage(), clock), meters);
        var server = new ApiServer(config, kv, clock, random());
        CacheMetrics.register(server, meters);
        SmallRyeHealth.register(server, config);
        server.start();
        return server;
    }

    /** Names need no secrets, only few clashes, from whatever thread. */
    private static RandomGenerator random() {
        return () -> ThreadLocalRandom.current().nextLong();
    }

    void stop(@Disposes ApiServer server) {
        server.close();
    }
}
