package io.keelson.bench;

import io.keelson.testing.FreePorts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/** Reads: single objects beside a plain Vert.x server, lists beside a copy of the same bytes. */
final class ReadLoad {
    private static final int PAGE = 500;
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final String METADATA = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";

    private ReadLoad() {}

    static void get(Session session) {
        session.load();
        try (HttpLoop loop = session.loop()) {
            session.measure("get, 1 client", 1, loop, byName(session, loop, ""), "");
            for (int clients : new int[] {16, 64}) {
                Meter.Figures hello = hello(session, loop, clients);
                for (String query : new String[] {"", "?resourceVersion=0"}) {
                    String work = "get" + (query.isEmpty() ? "" : " resourceVersion=0") + ", " + clients + " clients";
                    ratio(session, work, clients, loop, byName(session, loop, query), hello);
                }
            }
        }
    }

    private static void ratio(
            Session session,
            String work,
            int clients,
            HttpLoop loop,
            IntFunction<byte[]> requests,
            Meter.Figures hello) {
        var stream = new Session.Stream(loop, clients, requests);
        stream.time(session.seconds / 2);
        Meter meter = session.meter();
        stream.time(session.seconds);
        Meter.Figures figures = meter.stop(stream.latencies.count());
        String beside = Report.text("%.0f %% of plain Vert.x", 100 * figures.perSecond() / hello.perSecond());
        Report.line(work, figures, stream.latencies, beside);
    }

    private static IntFunction<byte[]> byName(Session session, HttpLoop loop, String query) {
        return i -> loop.get(session.collection() + "/"
                + Samples.name(ThreadLocalRandom.current().nextInt(session.objects)) + query);
    }

    /** A Vert.x server in a process of its own that answers with as many bytes as a get. */
    private static Meter.Figures hello(Session session, HttpLoop loop, int clients) {
        long bytes = Session.fetch(loop, loop.get(session.collection() + "/" + Samples.name(0))).length;
        int port = FreePorts.one();
        Process process = spawn(port, bytes);
        try (var helloLoop = new HttpLoop(URI.create("http://127.0.0.1:" + port))) {
            var stream = new Session.Stream(helloLoop, clients, i -> helloLoop.get("/"));
            stream.time(session.seconds);
            var meter = new Meter(List.of(process.pid()), List.of());
            stream.time(session.seconds);
            Meter.Figures figures = meter.stop(stream.latencies.count());
            Report.line("  reference: plain Vert.x, " + clients + " clients", figures, stream.latencies, "");
            return figures;
        } finally {
            process.destroyForcibly();
        }
    }

    private static Process spawn(int port, long bytes) {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-cp",
                System.getProperty("java.class.path"),
                HelloServer.class.getName(),
                Integer.toString(port),
                Long.toString(bytes));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
            Connections.await(port, process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- lists

    static void list(Session session) {
        session.load();
        try (HttpLoop loop = session.loop()) {
            String all = session.collection();
            double copy = copyMicros(session.objects);
            list(session, loop, "list, consistent", loop.get(all), copy);
            list(session, loop, "list, resourceVersion=0", loop.get(all + "?resourceVersion=0"), copy);
            paged(session, loop, copy);
            list(session, loop, "list by a label, 1 %", loop.get(all + "?labelSelector=shard%3Ds7"), 0);
            list(session, loop, "list, metadata only", loop.get(all, METADATA), 0);
            list(session, loop, "table, limit " + PAGE, loop.get(all + "?limit=" + PAGE, TABLE), 0);
            list(session, loop, "list, limit 1", loop.get(all + "?limit=1"), 0);
        }
        session.memory("memory after the lists");
    }

    private static void list(Session session, HttpLoop loop, String work, byte[] request, double copyMicros) {
        var stream = new Session.Stream(loop, 1, i -> request);
        stream.time(session.seconds / 2);
        Meter meter = session.meter();
        stream.time(session.seconds);
        Meter.Figures figures = meter.stop(stream.latencies.count());
        Report.line(work, figures, stream.latencies, besideCopy(figures, copyMicros));
    }

    private static String besideCopy(Meter.Figures figures, double copyMicros) {
        return copyMicros == 0
                ? ""
                : Report.text("%.1f times a copy in memory (%.0f µs)", figures.serverMicros() / copyMicros, copyMicros);
    }

    private static void paged(Session session, HttpLoop loop, double copyMicros) {
        Lane lane = loop.lane();
        for (boolean counts : new boolean[] {false, true}) {
            var latencies = new Latencies();
            Meter meter = session.meter();
            long deadline = System.nanoTime() + (long) (session.seconds * (counts ? 1e9 : 5e8));
            while (System.nanoTime() - deadline < 0) {
                long began = System.nanoTime();
                pages(session, loop, lane);
                latencies.add(System.nanoTime() - began);
            }
            Meter.Figures figures = meter.stop(latencies.count());
            if (counts) {
                Report.line("all in pages of " + PAGE, figures, latencies, besideCopy(figures, copyMicros));
            }
        }
        lane.close();
    }

    private static void pages(Session session, HttpLoop loop, Lane lane) {
        String token = "";
        do {
            var page = new Session.Whole();
            String from = token.isEmpty() ? "" : "&continue=" + URLEncoder.encode(token, StandardCharsets.US_ASCII);
            lane.request(loop.get(session.collection() + "?limit=" + PAGE + from), page);
            if (!loop.run(() -> page.ended, 60) || page.status != 200) {
                throw new IllegalStateException("a page was answered " + page.status);
            }
            token = page.field("continue");
        } while (!token.isEmpty());
    }

    /** What copying as many objects once costs, in µs: the best of several rounds, once the loop is compiled. */
    private static double copyMicros(int objects) {
        var stored = new byte[objects][];
        for (int i = 0; i < objects; i++) {
            stored[i] = Samples.stored(i);
        }
        long best = Long.MAX_VALUE;
        for (int round = 0; round < 30; round++) {
            long began = System.nanoTime();
            var out = new byte[objects * Samples.OBJECT_BYTES];
            int at = 0;
            for (byte[] object : stored) {
                System.arraycopy(object, 0, out, at, object.length);
                at += object.length;
            }
            best = Math.min(best, System.nanoTime() - began);
        }
        return best / 1e3;
    }
}
