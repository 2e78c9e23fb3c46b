package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.ScalePaths;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Definitions as the built-in kinds have them, as far as tests of their presentation need them. */
public final class TestResources {
    public static final ResourceDefinition CONFIG_MAPS = ResourceDefinition.of("", "v1", "ConfigMap", "configmaps")
            .shortNames("cm")
            .columns(
                    Column.of(
                            "Data",
                            "string",
                            "How many keys it has.",
                            (object, now) -> object.path("data").size()),
                    Column.AGE)
            .build();
    public static final ResourceDefinition NAMESPACES = ResourceDefinition.of("", "v1", "Namespace", "namespaces")
            .shortNames("ns")
            .strategy(new BasicStrategy(Trait.STATUS))
            .build();
    public static final ResourceDefinition PODS = ResourceDefinition.of("", "v1", "Pod", "pods")
            .shortNames("po")
            .categories("all")
            .strategy(new BasicStrategy(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION))
            .returnsDeletedObject()
            .build();
    public static final ResourceDefinition DEPLOYMENTS = ResourceDefinition.of(
                    "apps", "v1", "Deployment", "deployments")
            .shortNames("deploy")
            .categories("all")
            .strategy(new BasicStrategy(Trait.NAMESPACED, Trait.STATUS, Trait.GENERATION))
            .scale(ScalePaths.WORKLOAD)
            .build();
    public static final ResourceDefinition LEASES = ResourceDefinition.of(
                    "coordination.k8s.io", "v1", "Lease", "leases")
            .build();
    public static final ResourceDefinition EVENTS = ResourceDefinition.of("events.k8s.io", "v1", "Event", "events")
            .shortNames("ev")
            .build();
    public static final ResourceDefinition WIDGETS = ResourceDefinition.of(
                    "example.com", "v1beta1", "Widget", "widgets")
            .fullListItems()
            .build();
    public static final ResourceDefinition NEW_WIDGETS = ResourceDefinition.of("example.com", "v1", "Widget", "widgets")
            .fullListItems()
            .build();

    public static final List<ResourceDefinition> ALL =
            List.of(PODS, CONFIG_MAPS, NAMESPACES, WIDGETS, NEW_WIDGETS, LEASES, EVENTS, DEPLOYMENTS);

    private TestResources() {}

    /** An object as storage gives it. */
    public static ApiObject object(ResourceDefinition resource, long revision, String stored) {
        return new ObjectDecoder(resource.selectableFields()).decode(stored.getBytes(StandardCharsets.UTF_8), revision);
    }

    /** A ConfigMap with one key. */
    public static ApiObject configMap(String name, long revision) {
        return object(
                CONFIG_MAPS,
                revision,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name
                        + "\",\"namespace\":\"default\",\"creationTimestamp\":\"2026-01-02T03:04:05Z\"},"
                        + "\"data\":{\"k\":\"v\"}}");
    }

    /** Bytes as the text that they encode. */
    public static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    /** The tree of some JSON written with single quotes. */
    public static JsonNode tree(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }
}
