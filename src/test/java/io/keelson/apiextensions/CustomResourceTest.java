package io.keelson.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CustomResourceTest {
    private static final byte[] CRD = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"makes.example.com"},
            "spec":{"group":"example.com","scope":"Namespaced","versions":[{"name":"v1","served":true,"storage":true,"schema":
            {"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{
            "least":{"type":"integer"},"most":{"type":"integer"}},
            "x-kubernetes-validations":[{"rule":"self.least <= self.most","message":"too much"}]}}}}}]},
            "status":{"acceptedNames":{"plural":"makes","kind":"Make"}}}""".getBytes(StandardCharsets.UTF_8);
    private static final int JUDGEMENTS = 200;

    private final CustomResource resource = resource();
    private final ResourceDefinition definition = resource.stored();

    private static CustomResource resource() {
        ApiObject stored = new ObjectDecoder(SelectableFields.NONE)
                .decode(Json.writeObject(Json.parseTrusted(CRD)), 7)
                .packed();
        return CustomResource.of(Json.parseTrusted(stored.json()), stored);
    }

    private boolean accepts(int least, int most) {
        ObjectNode make = Json.object();
        make.putObject("metadata").put("name", "one").put("namespace", "default");
        make.putObject("spec").put("least", least).put("most", most);
        return definition
                .strategy()
                .validate(RequestContext.internal("default", Instant.EPOCH), make)
                .isEmpty();
    }

    @Test
    void a_schema_stays_compiled_while_it_is_used_and_is_compiled_again_when_it_was_dropped() {
        var first = definition.schema();
        assertThat(definition.schema()).isSameAs(first);
        resource.dropUnused();
        assertThat(definition.schema()).isSameAs(first);
        resource.dropUnused();
        resource.dropUnused();
        assertThat(definition.schema()).isNotSameAs(first);
    }

    @Test
    void objects_are_judged_alike_while_schemas_are_dropped() throws Exception {
        var done = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var dropping = threads.submit(() -> {
                while (!done.get()) {
                    resource.dropUnused();
                    Thread.yield();
                }
            });
            var judging = threads.submit(() -> {
                for (int i = 0; i < JUDGEMENTS; i++) {
                    assertThat(accepts(1, 2)).isTrue();
                    assertThat(accepts(2, 1)).isFalse();
                }
            });
            try {
                judging.get();
            } finally {
                done.set(true);
            }
            dropping.get();
        }
    }
}
