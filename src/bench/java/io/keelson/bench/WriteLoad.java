package io.keelson.bench;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;

/** Writes, beside raw puts of jetcd where the store is etcd. */
final class WriteLoad {
    private static final int[] CLIENTS = {1, 16, 64};

    /** For how many times a measure's time the server is warmed up before the first. */
    private static final int WARM_UP = 5;

    /** Of how many objects patches change one. */
    private static final int PATCHED = 1000;

    private WriteLoad() {}

    static void create(Session session) {
        session.namespace("writes");
        try (HttpLoop loop = session.loop()) {
            warmUp(session, loop);
            for (int clients : CLIENTS) {
                String beside = "";
                double puts = 0;
                if (!session.etcd.isEmpty()) {
                    puts = rawPuts(session, clients);
                }
                String prefix = session.freshPrefix();
                var stream = new Session.Stream(
                        loop, clients, i -> session.createRequest(loop, "writes", prefix + i, i, ""));
                stream.time(session.seconds / 2);
                Meter meter = session.meter();
                stream.time(session.seconds);
                Meter.Figures figures = meter.stop(stream.latencies.count());
                if (puts > 0) {
                    beside = Report.text("%.0f %% of raw puts", 100 * figures.perSecond() / puts);
                }
                Report.line(
                        "create, " + clients + (clients == 1 ? " client" : " clients"),
                        figures,
                        stream.latencies,
                        beside);
            }
            Session.fetch(loop, loop.send("DELETE", Session.collection("writes"), "application/json", new byte[0]));
        }
    }

    /** The compiler has its say first: what a write costs is told of code that is compiled. */
    private static void warmUp(Session session, HttpLoop loop) {
        String prefix = session.freshPrefix();
        new Session.Stream(loop, 64, i -> session.createRequest(loop, "writes", prefix + i, i, ""))
                .time(WARM_UP * session.seconds);
    }

    static void update(Session session) {
        session.load();
        try (HttpLoop loop = session.loop()) {
            session.measure("merge patch, 16 clients", 16, loop, patches(session, loop), "");
        }
    }

    private static IntFunction<byte[]> patches(Session session, HttpLoop loop) {
        return i -> {
            int number = ThreadLocalRandom.current().nextInt(Math.min(PATCHED, session.objects));
            byte[] patch = ("{\"data\":{\"stamp\":\"" + i + "\"}}").getBytes(StandardCharsets.US_ASCII);
            String path = session.collection() + "/" + Samples.name(number);
            return loop.send("PATCH", path, "application/merge-patch+json", patch);
        };
    }

    /** Of 100 requests: 50 gets, 10 pages, 5 lists by a label, 15 creations, 20 patches; 20 watches are open. */
    static void mixed(Session session) {
        session.load();
        session.namespace("mixed");
        String prefix = session.freshPrefix();
        String revision = session.currentRevision();
        try (HttpLoop loop = session.loop()) {
            IntFunction<byte[]> patches = patches(session, loop);
            for (Lane lane : loop.lanes(20)) {
                lane.request(
                        loop.get("/api/v1/configmaps?watch=true&resourceVersion=" + revision), new Lane.Answer() {});
            }
            session.measure(
                    "mixed, 16 clients, 20 watchers",
                    16,
                    loop,
                    i -> {
                        int dice = ThreadLocalRandom.current().nextInt(100);
                        if (dice < 50) {
                            int number = ThreadLocalRandom.current().nextInt(session.objects);
                            return loop.get(session.collection() + "/" + Samples.name(number));
                        }
                        if (dice < 60) {
                            return loop.get(session.collection() + "?limit=100");
                        }
                        if (dice < 65) {
                            return loop.get(session.collection() + "?labelSelector=shard%3Ds7");
                        }
                        return dice < 80 ? session.createRequest(loop, "mixed", prefix + i, i, "") : patches.apply(i);
                    },
                    "");
            Session.fetch(loop, loop.send("DELETE", Session.collection("mixed"), "application/json", new byte[0]));
        }
    }

    /** Puts of as many bytes as an object has, by a plain client of etcd, as many at once. Returns how many a second. */
    private static double rawPuts(Session session, int atOnce) {
        try (Client client = Client.builder().endpoints(session.etcd).build()) {
            KV kv = client.getKVClient();
            var value = ByteSequence.from(Samples.stored(0));
            putFor(kv, value, atOnce, session.seconds / 2, new Latencies());
            var latencies = new Latencies();
            Meter meter = session.meter();
            putFor(kv, value, atOnce, session.seconds, latencies);
            Meter.Figures figures = meter.stop(latencies.count());
            Report.line("  reference: jetcd put, " + atOnce + " at once", figures, latencies, "");
            return figures.perSecond();
        }
    }

    private static void putFor(KV kv, ByteSequence value, int atOnce, double seconds, Latencies latencies) {
        var over = new AtomicBoolean();
        var number = new AtomicLong();
        var running = new CountDownLatch(atOnce);
        for (int i = 0; i < atOnce; i++) {
            putNext(kv, value, number, over, running, latencies);
        }
        Connections.pause((long) (seconds * 1000));
        over.set(true);
        try {
            running.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void putNext(
            KV kv,
            ByteSequence value,
            AtomicLong number,
            AtomicBoolean over,
            CountDownLatch running,
            Latencies latencies) {
        if (over.get()) {
            running.countDown();
            return;
        }
        long began = System.nanoTime();
        var key = ByteSequence.from("/bench/raw/" + number.getAndIncrement(), StandardCharsets.US_ASCII);
        var _ = kv.put(key, value).whenComplete((put, failure) -> {
            if (failure != null) {
                throw new IllegalStateException("a put failed", failure);
            }
            synchronized (latencies) {
                latencies.add(System.nanoTime() - began);
            }
            putNext(kv, value, number, over, running, latencies);
        });
    }
}
