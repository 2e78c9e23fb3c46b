package io.keelson.bench;

import io.keelson.api.ApiObject;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/** The config maps that all benchmarks work on. */
public final class Samples {
    /** How long the JSON of a sample is, in bytes: what a small object of a real cluster has. */
    public static final int OBJECT_BYTES = 1024;

    /** How many different values the samples' label {@code shard} has. */
    public static final int SHARDS = 100;

    private Samples() {}

    /** As a client sends it. */
    public static byte[] body(String namespace, String name, int number, String stamp, int bytes) {
        String head = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"" + namespace + "\",\"labels\":{\"app\":\"bench\",\"shard\":\"s"
                + number % SHARDS + "\"}},\"data\":{\"stamp\":\"" + stamp + "\",\"payload\":\"";
        String tail = "\"}}";
        int fill = Math.max(0, bytes - head.length() - tail.length());
        return (head + "x".repeat(fill) + tail).getBytes(StandardCharsets.US_ASCII);
    }

    /** As it is stored, with the metadata that the server adds. */
    public static byte[] stored(int number) {
        String uid = "\"uid\":\"%08d-aaaa-bbbb-cccc-dddddddddddd\",\"creationTimestamp\":\"2026-01-01T00:00:00Z\","
                .formatted(number);
        int bytes = OBJECT_BYTES - uid.length();
        String body = new String(body("bench", name(number), number, "", bytes), StandardCharsets.US_ASCII);
        return body.replace("\"labels\"", uid + "\"labels\"").getBytes(StandardCharsets.US_ASCII);
    }

    public static String name(int number) {
        return "sample-%05d".formatted(number);
    }

    public static String key(int number) {
        return "/registry/configmaps/bench/" + name(number);
    }

    /** As they are in the cache. */
    public static List<ApiObject> objects(int count) {
        var decoder = new ObjectDecoder(SelectableFields.NONE);
        return IntStream.range(0, count)
                .mapToObj(i -> decoder.decode(stored(i), i + 1L))
                .toList();
    }
}
