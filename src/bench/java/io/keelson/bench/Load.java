package io.keelson.bench;

import io.keelson.testing.EtcdServer;
import io.keelson.testing.EtcdVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Puts load on the packaged server, or on one that runs, and prints what it answers in which time, with which CPU and
 * memory, beside references that are measured in the same run. {@code --help} lists the arguments.
 */
public final class Load {
    private static final String HELP = """
            Measures the packaged server (or --url's). Arguments:
              --only PARTS       of: create, get, list, update, mixed, fanout, idle, stalled, custom, definitions,
                                 start (all; in this order)
              --store STORE      embedded (default), memory, or etcd (3.5, started for the run)
              --objects N        config maps that are there while it reads (10000)
              --seconds S        how long each stream of requests runs, after a warm-up of half of that (4)
              --jvm "FLAGS"      of the server, such as "-Xmx192m -XX:+UseSerialGC" (-Xmx512m)
              --url URL --pid P  a server that runs, and its process for CPU and memory; without idle and start
            """;

    private static final Map<String, Consumer<Session>> PARTS = new LinkedHashMap<>();

    static {
        PARTS.put("create", WriteLoad::create);
        PARTS.put("get", ReadLoad::get);
        PARTS.put("list", ReadLoad::list);
        PARTS.put("update", WriteLoad::update);
        PARTS.put("mixed", WriteLoad::mixed);
        PARTS.put("fanout", WatchLoad::fanOut);
        PARTS.put("idle", WatchLoad::idle);
        PARTS.put("stalled", WatchLoad::stalled);
        PARTS.put("custom", CustomLoad::custom);
        PARTS.put("definitions", CustomLoad::definitions);
        PARTS.put("start", StartLoad::start);
    }

    private Load() {}

    public static void main(String... arguments) throws IOException, InterruptedException {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            boolean known = Set.of("--only", "--store", "--objects", "--seconds", "--jvm", "--url", "--pid")
                    .contains(arguments[i]);
            if (!known || i + 1 == arguments.length) {
                System.out.print(HELP);
                System.exit(arguments[i].equals("--help") ? 0 : 2);
            }
            given.put(arguments[i], arguments[i + 1]);
        }
        List<String> parts = List.of(
                given.getOrDefault("--only", String.join(",", PARTS.keySet())).split(","));
        if (!PARTS.keySet().containsAll(parts)) {
            System.err.println("no such part; there are " + PARTS.keySet());
            System.exit(2);
        }
        run(given, parts);
        System.exit(0);
    }

    private static void run(Map<String, String> given, List<String> parts) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("keelson-bench");
        String store = given.getOrDefault("--store", "embedded");
        try (EtcdServer etcd = store.equals("etcd") && !given.containsKey("--url") ? startEtcd() : null;
                Session session = Session.open(given, folder, etcd == null ? "" : etcd.endpoint())) {
            session.describe();
            Report.begin();
            session.memory("memory idle");
            for (Map.Entry<String, Consumer<Session>> part : PARTS.entrySet()) {
                if (parts.contains(part.getKey())) {
                    part.getValue().accept(session);
                }
            }
        } finally {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(java.io.File::delete);
            }
        }
    }

    private static EtcdServer startEtcd() throws IOException, InterruptedException {
        Path tools = Path.of(System.getProperty("keelson-test.tools", "target/tools"));
        if (!Files.isExecutable(tools.resolve("etcd-3.5/etcd"))) {
            String provide = System.getProperty("bench.provide", "src/test/tools/provide.sh");
            new ProcessBuilder("bash", provide, tools.toString())
                    .inheritIO()
                    .start()
                    .waitFor();
        }
        return EtcdServer.start(EtcdVersion.V3_5);
    }
}
