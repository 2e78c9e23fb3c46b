package io.keelson.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import io.keelson.definitions.PublishedDefinition;
import io.keelson.testing.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/** Custom resources: what their definitions cost, and their requests beside those of config maps of the same size. */
final class CustomLoad {
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final int MANY = 1000;
    private static final int GROUPS = 50;
    private static final int FIELDS = 30;
    private static final int INSTALLERS = 8;
    private static final double IDLE_SECONDS = 10;
    private static final double PATIENCE_SECONDS = 120;
    private static final double POLL_SECONDS = 0.3;

    private static final int OBJECT_BYTES = 2048;
    private static final int OBJECTS = 1000;
    private static final int CLIENTS = 16;
    private static final String NAMESPACE = "custom";

    private CustomLoad() {}

    // ---- definitions

    static void definitions(Session session) {
        if (session.serverPids().isEmpty()) {
            return;
        }
        try (HttpLoop loop = session.loop()) {
            // What the first definition brings with it, such as classes, is not the others' share.
            int before = established(session) + 1;
            post(loop, definition(MANY));
            await(session, loop, before);
            for (PublishedDefinition definition : PublishedDefinition.values()) {
                published(session, loop, definition);
            }
            before = established(session);
            double heap = session.liveHeapBytes();
            double threads = threads(session);
            long began = System.nanoTime();
            var installs = new Session.Stream(loop, INSTALLERS, i -> post(loop, Json.write(definition(i))));
            installs.count(MANY);
            await(session, loop, before + MANY);
            double seconds = (System.nanoTime() - began) / 1e9;
            double heapEach = (session.liveHeapBytes() - heap) / MANY;
            Meter idle = session.meter();
            loop.run(() -> false, IDLE_SECONDS);
            Report.fact(
                    Report.text("%,d definitions", MANY),
                    Report.text(
                            "installed in %.1f s; each %.0f KB of heap for %.1f KB of JSON; %.0f more threads; idle %.1f ms of CPU"
                                    + " a second",
                            seconds,
                            heapEach / 1e3,
                            Json.write(definition(0)).length / 1e3,
                            threads(session) - threads,
                            idle.stop(1).serverMicros() / 1e3 / IDLE_SECONDS));
        }
        restart(session);
    }

    private static void published(Session session, HttpLoop loop, PublishedDefinition definition) {
        int before = established(session);
        double heap = session.liveHeapBytes();
        byte[] yaml = definition.yaml();
        long began = System.nanoTime();
        var answer = Session.fetch(loop, loop.send("POST", DEFINITIONS, "application/yaml", yaml));
        if (answer.status != 201) {
            throw new IllegalStateException(definition + " was answered " + answer.status);
        }
        await(session, loop, before + 1);
        double seconds = (System.nanoTime() - began) / 1e9;
        Report.fact(
                definition.metadataName(),
                Report.text(
                        "%.0f KB of YAML established after %.2f s, %.0f KB of heap",
                        yaml.length / 1e3, seconds, (session.liveHeapBytes() - heap) / 1e3));
    }

    private static void restart(Session session) {
        ServerProcess server = session.server();
        if (server == null) {
            return;
        }
        server.stop();
        long began = System.nanoTime();
        server.restart();
        double ready = (System.nanoTime() - began) / 1e9;
        try (HttpLoop loop = session.loop()) {
            String last = "/apis/" + group(MANY - 1) + "/v1/things" + (MANY - 1);
            while (Session.fetch(loop, loop.get(last)).status != 200) {
                loop.run(() -> false, 0.01);
            }
            double served = (System.nanoTime() - began) / 1e9;
            double cpuSeconds = Processes.cpuTicks(server.pid()) * Processes.TICK_MICROS / 1e6;
            began = System.nanoTime();
            var _ = Session.fetch(loop, loop.get("/openapi/v3"));
            Report.fact(
                    Report.text("start with %,d definitions", MANY),
                    Report.text(
                            "ready after %.1f s, the last is served after %.1f s (%.1f s of CPU); first index of OpenAPI in %.2f s",
                            ready, served, cpuSeconds, (System.nanoTime() - began) / 1e9));
        }
    }

    private static byte[] post(HttpLoop loop, byte[] definition) {
        return loop.send("POST", DEFINITIONS, "application/json", definition);
    }

    private static void post(HttpLoop loop, JsonNode definition) {
        var _ = Session.fetch(loop, post(loop, Json.write(definition)));
    }

    /** Waits until so many definitions are established in all. */
    private static void await(Session session, HttpLoop loop, int count) {
        long deadline = System.nanoTime() + (long) (PATIENCE_SECONDS * 1e9);
        while (established(session) < count) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("definitions are not established after " + PATIENCE_SECONDS + " s");
            }
            loop.run(() -> false, POLL_SECONDS);
        }
    }

    private static int established(Session session) {
        String all = String.join("\n", session.lines(DEFINITIONS + "?resourceVersion=0"));
        int count = 0;
        for (JsonNode each : Json.parse(all.getBytes(StandardCharsets.UTF_8)).path("items")) {
            for (JsonNode condition : each.path("status").path("conditions")) {
                boolean holds = condition.path("status").asText().equals("True");
                count += holds && condition.path("type").asText().equals("Established") ? 1 : 0;
            }
        }
        return count;
    }

    private static double threads(Session session) {
        return session.lines("/metrics").stream()
                .filter(line -> line.startsWith("jvm_threads_live_threads"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    private static String group(int number) {
        return "g" + number % GROUPS + ".example.com";
    }

    private static ObjectNode definition(int number) {
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode parts = schema.putObject("properties");
        for (String part : new String[] {"spec", "status"}) {
            ObjectNode fields = parts.putObject(part).put("type", "object").putObject("properties");
            for (int i = 0; i < FIELDS; i++) {
                fields.putObject("field" + i)
                        .put("type", i % 3 == 0 ? "integer" : "string")
                        .put("description", "What field " + i + " of this kind of objects tells about one of them.");
            }
        }
        return definition(group(number), "Thing" + number, "things" + number, schema);
    }

    private static ObjectNode definition(String group, String kind, String plural, ObjectNode schema) {
        ObjectNode definition = Json.object();
        definition.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
        definition.putObject("metadata").put("name", plural + "." + group);
        ObjectNode spec = definition.putObject("spec").put("group", group).put("scope", "Namespaced");
        spec.putObject("names").put("plural", plural).put("kind", kind);
        ObjectNode version = spec.putArray("versions").addObject();
        version.put("name", "v1").put("served", true).put("storage", true);
        version.putObject("subresources").putObject("status");
        version.putObject("schema").set("openAPIV3Schema", schema);
        return definition;
    }

    // ---- objects

    /** Custom resources of 2 KB by turns with config maps of 2 KB. */
    static void custom(Session session) {
        session.namespace(NAMESPACE);
        ObjectNode schema = Json.object().put("type", "object");
        ObjectNode fields = schema.putObject("properties")
                .putObject("spec")
                .put("type", "object")
                .putObject("properties");
        fields.putObject("payload").put("type", "string").put("maxLength", 100_000);
        fields.putObject("stamp").put("type", "string");
        fields.putObject("replicas").put("type", "integer").put("minimum", 0).put("default", 1);
        try (HttpLoop loop = session.loop()) {
            int before = established(session);
            post(loop, definition("bench.example.com", "Widget", "widgets", schema));
            await(session, loop, before + 1);
            var maps = new Kind("config maps", Session.collection(NAMESPACE), "v1", "ConfigMap", "data");
            var widgets = new Kind(
                    "custom resources",
                    "/apis/bench.example.com/v1/namespaces/" + NAMESPACE + "/widgets",
                    "bench.example.com/v1",
                    "Widget",
                    "spec");
            for (Kind kind : new Kind[] {maps, widgets}) {
                var fill = new Session.Stream(loop, CLIENTS, i -> kind.create(loop, "o" + i));
                fill.accept409 = true;
                fill.count(OBJECTS);
            }
            compare(session, loop, "create", maps, widgets, kind -> {
                String prefix = session.freshPrefix();
                return i -> kind.create(loop, prefix + i);
            });
            compare(session, loop, "get", maps, widgets, kind -> i -> loop.get(kind.any()));
            compare(session, loop, "page of 500", maps, widgets, kind -> i -> loop.get(kind.path() + "?limit=500"));
            compare(
                    session,
                    loop,
                    "merge patch",
                    maps,
                    widgets,
                    kind -> i -> loop.send(
                            "PATCH",
                            kind.any(),
                            "application/merge-patch+json",
                            ("{\"" + kind.field() + "\":{\"stamp\":\"" + i + "\"}}")
                                    .getBytes(StandardCharsets.US_ASCII)));
        }
    }

    private record Kind(String words, String path, String apiVersion, String kind, String field) {
        String any() {
            return path + "/o" + ThreadLocalRandom.current().nextInt(OBJECTS);
        }

        byte[] create(HttpLoop loop, String name) {
            String body = "{\"apiVersion\":\"" + apiVersion + "\",\"kind\":\"" + kind + "\",\"metadata\":{\"name\":\""
                    + name + "\"},\"" + field + "\":{\"stamp\":\"\",\"payload\":\"" + "x".repeat(OBJECT_BYTES) + "\"}}";
            return loop.send("POST", path, "application/json", body.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private interface Work {
        IntFunction<byte[]> on(Kind kind);
    }

    private static void compare(Session session, HttpLoop loop, String what, Kind maps, Kind widgets, Work work) {
        Meter.Figures beside =
                session.measure(what + ", " + maps.words() + " of 2 KB", CLIENTS, loop, work.on(maps), "");
        var stream = new Session.Stream(loop, CLIENTS, work.on(widgets));
        stream.time(session.seconds / 2);
        Meter meter = session.meter();
        stream.time(session.seconds);
        Meter.Figures figures = meter.stop(stream.latencies.count());
        Report.line(
                what + ", " + widgets.words() + " of 2 KB",
                figures,
                stream.latencies,
                Report.text("%.0f %% of the CPU of config maps", 100 * figures.serverMicros() / beside.serverMicros()));
    }
}
