package io.keelson.resources;

import static io.keelson.registry.TestingRegistry.NOW;
import static io.keelson.registry.TestingRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ApiException;
import io.keelson.registry.Admission;
import io.keelson.registry.PropagationPolicy;
import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.batch.Jobs;
import io.keelson.resources.networking.Ingresses;
import io.keelson.storage.Preconditions;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class WarningsTest {
    private final RequestContext context = RequestContext.internal("n", NOW);

    @Test
    void a_deprecated_kind_says_what_to_use() {
        assertThat(TestingKind.of("Endpoints").definition().deprecation()).contains("EndpointSlice");
        assertThat(TestingKind.of("EndpointSlice").definition().deprecation()).isEmpty();
    }

    @Test
    void who_deletes_a_job_without_saying_what_becomes_of_its_pods_is_warned() {
        try (var registry = new TestingRegistry(List.of(Jobs.definition()), Admission.ALL, false)) {
            var unsaid = new DeleteOptions(null, null, null, Preconditions.NONE);
            Assertions.catchThrowableOfType(
                    ApiException.class, () -> registry.store("jobs").delete(context.withDryRun(true), "x", unsaid));
            assertThat(context.warnings()).singleElement().asString().startsWith("child pods are preserved");
            var said = new DeleteOptions(null, PropagationPolicy.ORPHAN, null, Preconditions.NONE);
            Assertions.catchThrowableOfType(
                    ApiException.class, () -> registry.store("jobs").delete(context, "x", said));
            assertThat(context.warnings()).hasSize(1);
        }
    }

    @Test
    void the_old_annotation_of_an_ingress_is_warned_of() {
        Ingresses.definition()
                .strategy()
                .validate(context, json("{'metadata':{'annotations':{'kubernetes.io/ingress.class':'nginx'}}}"));
        assertThat(context.warnings()).singleElement().asString().contains("spec.ingressClassName");
    }
}
