package io.keelson.server;

import io.keelson.cacher.Cacher;
import io.keelson.endpoints.HealthCheck;
import io.keelson.endpoints.HealthCheck.Outcome;
import io.keelson.registry.ResourceDefinition;
import io.smallrye.health.api.HealthType;
import io.smallrye.health.registry.HealthRegistries;
import org.eclipse.microprofile.health.HealthCheckResponse;

/** Shows the same checks at {@code /q/health}, in MicroProfile's form. */
final class SmallRyeHealth {
    private SmallRyeHealth() {}

    /** To be called before the server is started. */
    static void register(ApiServer server, KeelsonConfig config) {
        var checks = new HealthChecks(server, config);
        for (HealthCheck check : checks.all()) {
            var type = check.live() ? HealthType.LIVENESS : HealthType.READINESS;
            HealthRegistries.getRegistry(type).register(check.name(), () -> respond(check));
        }
        server.customResources().listen(new CustomCaches(checks));
    }

    private record CustomCaches(HealthChecks checks) implements CustomResourceStacks.CacheListener {
        @Override
        public void added(ResourceDefinition resource, Cacher cacher) {
            HealthCheck check = checks.ofCustom(resource, cacher);
            HealthRegistries.getRegistry(HealthType.READINESS).register(check.name(), () -> respond(check));
        }

        @Override
        public void removed(ResourceDefinition resource, Cacher cacher) {
            HealthRegistries.getRegistry(HealthType.READINESS)
                    .remove(checks.ofCustom(resource, cacher).name());
        }
    }

    static HealthCheckResponse respond(HealthCheck check) {
        HealthCheck.Result result = check.look().get();
        var response = HealthCheckResponse.named(check.name()).status(result.outcome() != Outcome.FAILED);
        if (!result.reason().isEmpty()) {
            response.withData("reason", result.reason());
        }
        result.data().forEach((name, value) -> {
            switch (value) {
                case Long number -> response.withData(name, number);
                case Boolean truth -> response.withData(name, truth);
                default -> response.withData(name, value.toString());
            }
        });
        return response.build();
    }
}
