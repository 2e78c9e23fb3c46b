package io.keelson.bench;

import io.keelson.testing.ServerProcess;
import java.util.ArrayList;
import java.util.Collections;

/** A start with many objects in the store: how long until it is ready, and what it holds then. */
final class StartLoad {
    private static final int OBJECTS = 100_000;
    private static final int STARTS = 3;

    private StartLoad() {}

    static void start(Session session) {
        ServerProcess server = session.server();
        if (server == null) {
            return;
        }
        session.fill(OBJECTS);
        var seconds = new ArrayList<Double>();
        double cpuSeconds = 0;
        for (int i = 0; i < STARTS; i++) {
            server.stop();
            long began = System.nanoTime();
            server.restart();
            seconds.add((System.nanoTime() - began) / 1e9);
            cpuSeconds = Processes.cpuTicks(server.pid()) * Processes.TICK_MICROS / 1e6;
        }
        Collections.sort(seconds);
        double heap = session.liveHeapBytes();
        double json;
        try (HttpLoop loop = session.loop()) {
            json = Session.fetch(loop, loop.get("/api/v1/configmaps?resourceVersion=0")).length;
        }
        Report.fact(
                Report.text("start with %,d objects", OBJECTS),
                Report.text(
                        "ready after %.1f s (%.1f to %.1f; %.1f s of CPU); heap %.0f MB after a collection, %.2f times their JSON of"
                                + " %.0f MB; %.0f MiB resident",
                        seconds.get(STARTS / 2),
                        seconds.getFirst(),
                        seconds.getLast(),
                        cpuSeconds,
                        heap / 1e6,
                        heap / json,
                        json / 1e6,
                        session.residentMiB()));
    }
}
