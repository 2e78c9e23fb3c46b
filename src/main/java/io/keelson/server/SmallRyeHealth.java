package io.keelson.server;

import io.keelson.endpoints.HealthCheck;
import io.keelson.endpoints.HealthCheck.Outcome;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.health.api.HealthType;
import io.smallrye.health.registry.HealthRegistries;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.health.HealthCheckResponse;

/** Shows the same checks at {@code /q/health}, in MicroProfile's form. */
@ApplicationScoped
class SmallRyeHealth {
    private final ApiServer server;
    private final KeelsonConfig config;

    SmallRyeHealth(ApiServer server, KeelsonConfig config) {
        this.server = server;
        this.config = config;
    }

    void register(@Observes StartupEvent start) {
        for (HealthCheck check : new HealthChecks(server, config).all()) {
            var type = check.live() ? HealthType.LIVENESS : HealthType.READINESS;
            HealthRegistries.getRegistry(type).register(check.name(), () -> respond(check));
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
