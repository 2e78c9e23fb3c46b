package io.keelson.bench;

import io.keelson.api.ApiObject;
import io.keelson.endpoints.output.Chunks;
import io.keelson.endpoints.output.IncludeObject;
import io.keelson.endpoints.output.ListEncoder;
import io.keelson.endpoints.output.ListMeta;
import io.keelson.endpoints.output.TableEncoder;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.BuiltinResources;
import java.time.Instant;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What encoding a list costs, beside copying the same bytes. */
@State(Scope.Benchmark)
public class ListBenchmark {
    @Param({"500", "10000"})
    public int objects;

    private final ResourceDefinition configMaps = BuiltinResources.all().stream()
            .filter(definition -> definition.kind().kind().equals("ConfigMap"))
            .findFirst()
            .orElseThrow();
    private final Instant now = Instant.parse("2026-02-03T04:05:06Z");
    private List<ApiObject> page = List.of();

    @Setup
    public void setUp() {
        page = Samples.objects(objects);
    }

    @Benchmark
    public long list() {
        return length(ListEncoder.list(configMaps, ListMeta.at(objects), page));
    }

    @Benchmark
    public long table() {
        return length(
                new TableEncoder(configMaps, "v1", IncludeObject.METADATA).table(ListMeta.at(objects), page, now));
    }

    /** Each object's bytes copied once, into arrays of the same size as the list's. */
    @Benchmark
    public long reference() {
        long length = 0;
        var chunk = new byte[Chunks.CHUNK_BYTES];
        int at = 0;
        for (ApiObject object : page) {
            byte[] json = object.json();
            if (at + json.length > chunk.length) {
                length += at;
                chunk = new byte[Chunks.CHUNK_BYTES];
                at = 0;
            }
            System.arraycopy(json, 0, chunk, at, json.length);
            at += json.length;
        }
        return length + at;
    }

    private static long length(Chunks chunks) {
        long length = 0;
        while (chunks.hasNext()) {
            length += chunks.next().length;
        }
        return length;
    }
}
