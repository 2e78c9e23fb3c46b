package io.keelson.kubernetes;

import io.keelson.testing.Commands;
import io.keelson.testing.TestTools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** What kubectl makes of a kustomization of the folder {@code kubernetes}. */
record Manifests(List<Map<?, ?>> objects) {
    static Manifests build(String kustomization) {
        String yaml = Commands.run(
                Map.of(),
                List.of(
                        TestTools.kubectl().toString(),
                        "kustomize",
                        Path.of("kubernetes", kustomization).toString()));
        List<Map<?, ?>> objects = new ArrayList<>();
        for (Object object : new Load(LoadSettings.builder().build()).loadAllFromString(yaml)) {
            objects.add((Map<?, ?>) object);
        }
        return new Manifests(objects);
    }

    Map<?, ?> object(String kind, String name) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind")) && name.equals(at(object, "metadata", "name")))
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no %s %s".formatted(kind, name)));
    }

    List<String> kindsAndNames() {
        return objects.stream()
                .map(object -> object.get("kind") + "/" + at(object, "metadata", "name"))
                .sorted()
                .toList();
    }

    Map<?, ?> podSpec(String kind, String name) {
        return map(object(kind, name), "spec", "template", "spec");
    }

    /** The only container of the Deployment keelson. */
    Map<?, ?> server() {
        return container("Deployment", "keelson");
    }

    Map<?, ?> container(String kind, String name) {
        List<?> containers = list(podSpec(kind, name), "containers");
        if (containers.size() != 1) {
            throw new AssertionError("%s %s has %d containers".formatted(kind, name, containers.size()));
        }
        return (Map<?, ?>) containers.getFirst();
    }

    static Stream<Map<?, ?>> probes(Map<?, ?> container) {
        return Stream.of("startupProbe", "livenessProbe", "readinessProbe").map(name -> map(container, name));
    }

    static Map<?, ?> map(Object from, String... path) {
        return (Map<?, ?>) at(from, path);
    }

    static List<?> list(Object from, String... path) {
        return (List<?>) at(from, path);
    }

    static Object at(Object from, String... path) {
        Object value = from;
        for (String name : path) {
            if (!(value instanceof Map<?, ?> map) || !map.containsKey(name)) {
                throw new AssertionError("%s has no %s".formatted(from, String.join(".", path)));
            }
            value = map.get(name);
        }
        return value;
    }
}
