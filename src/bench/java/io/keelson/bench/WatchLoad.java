package io.keelson.bench;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Watches: fan-out of events, what an idle watcher holds, and what a stalled one does to others. */
final class WatchLoad {
    private static final String NAMESPACE = "fan";
    private static final int WRITERS = 16;
    private static final double SETTLE_SECONDS = 60;
    private static final int IDLE_WATCHERS = 10_000;
    private static final int STALLED_AMONG = 1000;

    /** How long after the last watch was opened the first event is written. */
    private static final double SETTLED_SECONDS = 2;

    private WatchLoad() {}

    static void fanOut(Session session) {
        fanOut(session, 1, 3000);
        fanOut(session, 100, 1500);
        fanOut(session, 1000, 300);
        session.memory("memory after 1,000 watchers");
        fanOut(session, 10_000, 40);
    }

    private static String watchPath(Session session) {
        session.namespace(NAMESPACE);
        return Session.collection(NAMESPACE)
                + "?watch=true&allowWatchBookmarks=true&timeoutSeconds=3000&resourceVersion="
                + session.currentRevision();
    }

    /** Writes as fast as 16 clients can, with some watchers; the first tenth warms up. */
    private static void fanOut(Session session, int count, int events) {
        try (HttpLoop loop = session.loop()) {
            var watchers = new Watchers(loop);
            watchers.open(count, watchPath(session));
            String prefix = session.freshPrefix();
            var writes = new Session.Stream(
                    loop,
                    WRITERS,
                    i -> session.createRequest(loop, NAMESPACE, prefix + i, i, Long.toString(System.nanoTime())));
            deliver(loop, watchers, writes, count, Math.max(WRITERS, events / 10));
            Meter meter = session.meter();
            long expected = deliver(loop, watchers, writes, count, events);
            Meter.Figures figures = meter.stop(watchers.delivered());
            Report.line(
                    Report.text("event delivered, %,d %s flat out", count, count == 1 ? "watcher" : "watchers"),
                    figures,
                    watchers.latencies(),
                    Report.text(
                            "%,d of %,d delivered, %d watches cut off",
                            watchers.delivered(), expected, watchers.lost()));
        }
        clear(session);
    }

    private static void clear(Session session) {
        try (HttpLoop loop = session.loop()) {
            Session.fetch(loop, loop.send("DELETE", Session.collection(NAMESPACE), "application/json", new byte[0]));
        }
    }

    private static long deliver(HttpLoop loop, Watchers watchers, Session.Stream writes, int count, int events) {
        watchers.reset();
        writes.count(events);
        long expected = (long) events * count;
        loop.run(() -> watchers.delivered() >= expected, SETTLE_SECONDS);
        return expected;
    }

    static void idle(Session session) {
        if (session.serverPids().isEmpty()) {
            return;
        }
        try (HttpLoop loop = session.loop()) {
            String path = watchPath(session);
            // What the first watchers bring with them, such as classes and buffers, is not the others' share.
            new Watchers(loop).open(100, path);
            double heap = session.liveHeapBytes();
            double resident = session.residentMiB();
            var watchers = new Watchers(loop);
            watchers.open(IDLE_WATCHERS, path);
            loop.run(() -> false, 2);
            double heapEach = (session.liveHeapBytes() - heap) / IDLE_WATCHERS;
            Report.fact(
                    Report.text("%,d idle watchers", IDLE_WATCHERS),
                    Report.text(
                            "each %.1f KB of heap after a collection; resident memory grew by %.1f KB each to %.0f MiB",
                            heapEach / 1e3,
                            (session.residentMiB() - resident) * 1048.576 / IDLE_WATCHERS,
                            session.residentMiB()));
        }
    }

    /** The same pace of writes with and without a watcher that takes nothing, in turns. */
    static void stalled(Session session) {
        session.load();
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int round = 0; round < 7; round++) {
            double p99 = paced(session, round % 2 == 1);
            if (round > 0) {
                (round % 2 == 1 ? with : without).add(p99);
            }
        }
        Report.fact(
                Report.text("p99 of %,d watchers at 20 events/s", STALLED_AMONG),
                Report.text(
                        "%.1f ms alone, %.1f ms with one more that reads nothing (medians of 3, %s and %s)",
                        median(without), median(with), rounded(without), rounded(with)));
    }

    private static double paced(Session session, boolean stalled) {
        try (HttpLoop loop = session.loop()) {
            var watchers = new Watchers(loop);
            watchers.open(STALLED_AMONG, watchPath(session));
            if (stalled) {
                // All objects are its initial events, more than buffers on the way hold.
                Lane lane = loop.lane(4096);
                lane.request(loop.get("/api/v1/configmaps?watch=true&resourceVersion=0"), new Lane.Answer() {});
                lane.stall();
            }
            // What opening the watches costs is not what is asked here.
            loop.run(() -> false, SETTLED_SECONDS);
            String prefix = session.freshPrefix();
            var writers = new ArrayList<Lane>();
            int events = (int) (20 * session.seconds);
            long began = System.nanoTime();
            var sent = new int[1];
            loop.pace(now -> {
                long due = began + sent[0] * 50_000_000L;
                if (now < due || sent[0] >= events) {
                    return sent[0] >= events ? Long.MAX_VALUE : due - now;
                }
                String name = prefix + sent[0];
                String stamp = Long.toString(System.nanoTime());
                idle(loop, writers)
                        .request(session.createRequest(loop, NAMESPACE, name, sent[0], stamp), new Lane.Answer() {});
                sent[0]++;
                return 50_000_000L;
            });
            loop.run(() -> watchers.delivered() >= (long) events * STALLED_AMONG, SETTLE_SECONDS + session.seconds);
            loop.pace(null);
            return watchers.latencies().millis(.99);
        } finally {
            clear(session);
        }
    }

    /** One that has its answer, or a new one: the pace does not wait for the server. */
    private static Lane idle(HttpLoop loop, List<Lane> writers) {
        for (Lane lane : writers) {
            if (lane.idle()) {
                return lane;
            }
        }
        Lane lane = loop.lane();
        writers.add(lane);
        return lane;
    }

    private static double median(List<Double> values) {
        var sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    private static List<String> rounded(List<Double> values) {
        return values.stream().map(value -> Report.text("%.1f", value)).toList();
    }
}
