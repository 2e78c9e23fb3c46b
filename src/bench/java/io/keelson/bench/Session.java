package io.keelson.bench;

import io.keelson.testing.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** One run against one server: how to reach it, what its processes are, and the streams of requests all parts use. */
final class Session implements AutoCloseable {
    /** A stream of requests ends with an error where more than this share of its answers is none of success. */
    private static final double MAX_FAILURES = 0.01;

    private static final double ANSWER_SECONDS = 120;

    final String namespace = "bench";
    final int objects;
    final double seconds;
    final String etcd;
    private final URI url;
    private final @Nullable ServerProcess server;
    private final List<Long> serverPids;
    private final List<Long> storePids;
    private boolean loaded;
    private int names;

    private Session(
            Map<String, String> given, URI url, @Nullable ServerProcess server, List<Long> serverPids, String etcd) {
        this.objects = Integer.parseInt(given.getOrDefault("--objects", "10000"));
        this.seconds = Double.parseDouble(given.getOrDefault("--seconds", "4"));
        this.url = url;
        this.server = server;
        this.serverPids = serverPids;
        this.etcd = etcd;
        this.storePids = ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("/etcd"))
                .map(ProcessHandle::pid)
                .toList();
    }

    static Session open(Map<String, String> given, Path folder, String etcd) {
        String url = given.get("--url");
        if (url != null) {
            String pid = given.get("--pid");
            return new Session(
                    given, URI.create(url), null, pid == null ? List.of() : List.of(Long.valueOf(pid)), etcd);
        }
        ServerProcess.Builder builder = switch (given.getOrDefault("--store", "embedded")) {
            case "etcd" -> ServerProcess.etcd(folder, etcd);
            case "memory" -> ServerProcess.inMemory(folder);
            default -> ServerProcess.embedded(folder);
        };
        for (String flag : given.getOrDefault("--jvm", "-Xmx512m").split(" +")) {
            builder.jvmArgument(flag);
        }
        // As users have it; tests have their caches compared much more often.
        builder.set("KEELSON_WATCH_CACHE_CONSISTENCY_CHECK_INTERVAL", "5m");
        ServerProcess server = builder.start();
        return new Session(given, URI.create(server.url()), server, List.of(server.pid()), etcd);
    }

    void describe() {
        System.out.printf(
                "%s, %d cores shared with the client, Java %s, %s, config maps of %d bytes%n%n",
                url,
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                etcd.isEmpty() ? "no etcd" : "etcd 3.5",
                Samples.OBJECT_BYTES);
    }

    /** The server as a child of this process; null for one that ran before. */
    @Nullable
    ServerProcess server() {
        return server;
    }

    List<Long> serverPids() {
        return server == null ? serverPids : List.of(server.pid());
    }

    Meter meter() {
        return new Meter(serverPids(), storePids);
    }

    double residentMiB() {
        return serverPids().stream().mapToDouble(Processes::residentMiB).sum();
    }

    void memory(String when) {
        if (!serverPids().isEmpty()) {
            String stores = storePids.isEmpty()
                    ? ""
                    : Report.text(
                            ", etcd %.0f MiB",
                            storePids.stream()
                                    .mapToDouble(Processes::residentMiB)
                                    .sum());
            Report.fact(when, Report.text("%.0f MiB%s", residentMiB(), stores));
        }
    }

    HttpLoop loop() {
        return new HttpLoop(url);
    }

    String collection() {
        return collection(namespace);
    }

    static String collection(String in) {
        return "/api/v1/namespaces/" + in + "/configmaps";
    }

    /** A prefix of names that nothing of this run has. */
    String freshPrefix() {
        return "p" + ProcessHandle.current().pid() + "-" + names++ + "-";
    }

    byte[] createRequest(HttpLoop loop, String in, String name, int number, String stamp) {
        return loop.send(
                "POST",
                collection(in),
                "application/json",
                Samples.body(in, name, number, stamp, Samples.OBJECT_BYTES - 120));
    }

    void namespace(String name) {
        String body = "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + name + "\"}}";
        try (HttpLoop loop = loop()) {
            byte[] request = loop.send(
                    "POST", "/api/v1/namespaces", "application/json", body.getBytes(StandardCharsets.US_ASCII));
            int status = fetch(loop, request).status;
            if (status != 201 && status != 409) {
                throw new IllegalStateException("the namespace was answered " + status);
            }
        }
    }

    /** Makes the objects that are read, once. */
    void load() {
        if (loaded) {
            return;
        }
        loaded = true;
        fill(objects);
        memory("memory after " + objects + " objects");
    }

    /** Makes objects; those that are there stay. */
    void fill(int count) {
        namespace(namespace);
        try (HttpLoop loop = loop()) {
            var stream = new Stream(loop, 64, i -> createRequest(loop, namespace, Samples.name(i), i, ""));
            stream.accept409 = true;
            stream.count(count);
        }
    }

    // ---- requests

    /** One answer, whole. */
    static final class Whole implements Lane.Answer {
        int status;
        long length;
        boolean ended;
        private final StringBuilder text = new StringBuilder();
        private static final int KEPT = 4096;

        @Override
        public void head(int code) {
            status = code;
        }

        @Override
        public void body(byte[] bytes, int from, int to) {
            length += to - from;
            int room = KEPT - text.length();
            if (room > 0) {
                text.append(new String(bytes, from, Math.min(room, to - from), StandardCharsets.ISO_8859_1));
            }
        }

        @Override
        public void end() {
            ended = true;
        }

        @Override
        public void broken() {
            ended = true;
        }

        /** The value of the first string field of a name; empty where there is none. */
        String field(String name) {
            int at = text.indexOf("\"" + name + "\":\"");
            return at < 0 ? "" : text.substring(at + name.length() + 4, text.indexOf("\"", at + name.length() + 4));
        }
    }

    static Whole fetch(HttpLoop loop, byte[] request) {
        var whole = new Whole();
        Lane lane = loop.lane();
        lane.request(request, whole);
        if (!loop.run(() -> whole.ended, ANSWER_SECONDS)) {
            throw new IllegalStateException("no answer in " + ANSWER_SECONDS + " s");
        }
        lane.close();
        return whole;
    }

    String currentRevision() {
        try (HttpLoop loop = loop()) {
            return fetch(loop, loop.get(collection() + "?limit=1")).field("resourceVersion");
        }
    }

    /** Clients that each send the next request as soon as they have the answer to the last. */
    static final class Stream {
        private final HttpLoop loop;
        private final List<Lane> lanes;
        private final IntFunction<byte[]> requests;
        boolean accept409;
        Latencies latencies = new Latencies();
        long failures;
        long bytes;
        private int next;
        private int inFlight;
        private int limit;
        private long until;

        Stream(HttpLoop loop, int clients, IntFunction<byte[]> requests) {
            this.loop = loop;
            this.lanes = loop.lanes(clients);
            this.requests = requests;
        }

        /** Sends a number of requests. */
        void count(int count) {
            go(next + count, Long.MAX_VALUE);
        }

        /** Sends requests for a time, each begun one to its end. */
        void time(double seconds) {
            go(Integer.MAX_VALUE, System.nanoTime() + (long) (seconds * 1e9));
        }

        private void go(int upTo, long deadline) {
            latencies = new Latencies();
            failures = 0;
            bytes = 0;
            limit = upTo;
            until = deadline;
            lanes.forEach(this::sendNext);
            if (!loop.run(() -> inFlight == 0, 600)) {
                throw new IllegalStateException("answers are missing after 600 s");
            }
            if (failures > MAX_FAILURES * latencies.count()) {
                throw new IllegalStateException(failures + " of " + latencies.count() + " answers are failures");
            }
        }

        private void sendNext(Lane lane) {
            long began = System.nanoTime();
            if (next >= limit || (until != Long.MAX_VALUE && began - until >= 0)) {
                return;
            }
            byte[] request = requests.apply(next++);
            inFlight++;
            lane.request(request, new Lane.Answer() {
                private int status;

                @Override
                public void head(int code) {
                    status = code;
                }

                @Override
                public void body(byte[] part, int from, int to) {
                    bytes += to - from;
                }

                @Override
                public void end() {
                    latencies.add(System.nanoTime() - began);
                    failures += status < 300 || (accept409 && status == 409) ? 0 : 1;
                    inFlight--;
                    sendNext(lane);
                }

                @Override
                public void broken() {
                    failures++;
                    inFlight--;
                }
            });
        }
    }

    /** A stream of requests for a time, after a warm-up, as a line of the report. */
    Meter.Figures measure(String work, int clients, HttpLoop loop, IntFunction<byte[]> requests, String beside) {
        var stream = new Stream(loop, clients, requests);
        stream.time(seconds / 2);
        Meter meter = meter();
        stream.time(seconds);
        Meter.Figures figures = meter.stop(stream.latencies.count());
        Report.line(work, figures, stream.latencies, beside);
        return figures;
    }

    /** The lines of a path of the server that answers in text. */
    List<String> lines(String path) {
        try (var client = java.net.http.HttpClient.newHttpClient()) {
            var request =
                    java.net.http.HttpRequest.newBuilder(url.resolve(path)).build();
            return new ArrayList<>(client.send(request, java.net.http.HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** What the server's heap holds after a collection of its garbage, in bytes; 0 where it is no JVM. */
    double liveHeapBytes() {
        serverPids().forEach(Processes::collectGarbage);
        return lines("/metrics").stream()
                .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Override
    public void close() {
        if (server != null) {
            server.close();
        }
    }
}
