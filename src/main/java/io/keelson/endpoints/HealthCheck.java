package io.keelson.endpoints;

import java.util.Map;
import java.util.function.Supplier;

/**
 * One thing that readiness, or liveness, looks at.
 *
 * @param name as {@code /readyz/NAME} and {@code exclude=NAME} use it
 * @param live whether it counts for liveness too
 * @param look takes the look; quick, any thread
 */
public record HealthCheck(String name, boolean live, Supplier<Result> look) {
    /** How a check stands. DEGRADED is told, but does not take the server out of service. */
    public enum Outcome {
        OK,
        DEGRADED,
        FAILED
    }

    /**
     * What a look found.
     *
     * @param reason why it is not OK; empty where it is
     * @param data figures for people and dashboards: texts, numbers and truth values
     */
    public record Result(Outcome outcome, String reason, Map<String, Object> data) {
        public static Result ok(Map<String, Object> data) {
            return new Result(Outcome.OK, "", data);
        }
    }
}
