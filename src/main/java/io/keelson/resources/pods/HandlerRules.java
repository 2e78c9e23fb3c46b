package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;
import java.util.regex.Pattern;

/** What is wrong with the probes of a container and with what is done at its start and before its end. Stateless. */
final class HandlerRules {
    private static final List<String> PROBES = List.of("livenessProbe", "readinessProbe", "startupProbe");
    private static final List<String> PROBE_HANDLERS = List.of("exec", "httpGet", "tcpSocket", "grpc");
    private static final List<String> LIFECYCLE_HANDLERS = List.of("exec", "httpGet", "tcpSocket", "sleep");
    private static final List<String> NUMBERS =
            List.of("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold");
    private static final Pattern HEADER = Pattern.compile("[-A-Za-z0-9]+");

    private HandlerRules() {}

    /** @param grace how long a pod may take to end, in seconds */
    static void check(Faults faults, String container, ObjectNode object, JsonNode grace) {
        for (String probe : PROBES) {
            if (object.has(probe)) {
                checkProbe(faults, container + "." + probe, object.path(probe), probe.equals("readinessProbe"));
            }
        }
        for (String moment : List.of("postStart", "preStop")) {
            JsonNode handler = Trees.at(object, "lifecycle", moment);
            if (handler.isObject()) {
                checkHandler(faults, container + ".lifecycle." + moment, handler, LIFECYCLE_HANDLERS);
                checkSleep(faults, container + ".lifecycle." + moment + ".sleep", handler, grace);
            }
        }
    }

    private static void checkSleep(Faults faults, String field, JsonNode handler, JsonNode grace) {
        JsonNode seconds = Trees.at(handler, "sleep", "seconds");
        if (handler.has("sleep") && (seconds.asLong() < 0 || seconds.asLong() > grace.asLong())) {
            faults.invalid(
                    field,
                    seconds.asLong(),
                    "must be non-negative and less than terminationGracePeriodSeconds (" + grace.asLong() + ")");
        }
    }

    private static void checkProbe(Faults faults, String at, JsonNode probe, boolean readiness) {
        checkHandler(faults, at, probe, PROBE_HANDLERS);
        NUMBERS.forEach(number -> faults.notNegative(at + "." + number, probe.path(number)));
        JsonNode grace = probe.path("terminationGracePeriodSeconds");
        if (readiness && grace.isNumber()) {
            faults.invalid(at + ".terminationGracePeriodSeconds", grace, "must not be set for readinessProbes");
        } else {
            faults.positive(at + ".terminationGracePeriodSeconds", grace);
        }
        if (!readiness && probe.path("successThreshold").asInt(1) != 1) {
            faults.invalid(at + ".successThreshold", probe.path("successThreshold"), "must be 1");
        }
    }

    private static void checkHandler(Faults faults, String at, JsonNode handler, List<String> known) {
        List<String> given = known.stream().filter(handler::has).toList();
        if (given.isEmpty()) {
            faults.required(at, "must specify a handler type");
        }
        given.stream()
                .skip(1)
                .forEach(type -> faults.forbidden(at + "." + type, "may not specify more than 1 handler type"));
        if (handler.has("exec") && Trees.at(handler, "exec", "command").isEmpty()) {
            faults.required(at + ".exec.command", "");
        }
        if (handler.has("httpGet")) {
            checkHttpGet(faults, at + ".httpGet", handler.path("httpGet"));
        }
        if (handler.has("tcpSocket")) {
            faults.portOrName(at + ".tcpSocket.port", Trees.at(handler, "tcpSocket", "port"));
        }
        if (handler.has("grpc")) {
            faults.port(at + ".grpc.port", Trees.at(handler, "grpc", "port"));
        }
    }

    private static void checkHttpGet(Faults faults, String at, JsonNode httpGet) {
        faults.present(at + ".path", httpGet.path("path"));
        faults.portOrName(at + ".port", httpGet.path("port"));
        int i = 0;
        for (ObjectNode header : Trees.objects(httpGet.path("httpHeaders"))) {
            String name = Trees.text(header, "name");
            if (!HEADER.matcher(name).matches()) {
                faults.invalid(
                        at + ".httpHeaders[" + i + "].name",
                        name,
                        "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name',"
                                + " regex used for validation is '[-A-Za-z0-9]+')");
            }
            i++;
        }
    }
}
