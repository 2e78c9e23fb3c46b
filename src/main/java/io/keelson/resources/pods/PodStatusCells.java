package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.Ages;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Trees;
import java.time.Instant;
import java.util.List;

/**
 * Sums up what a pod's containers are doing in the three cells Ready, Status and Restarts. Init containers come first:
 * the first one that is not done decides the status; only when all are done do the other containers. One instance a pod.
 */
final class PodStatusCells {
    private final ObjectNode pod;
    private final JsonNode status;
    private int total;
    private int ready;
    private long restarts;
    private String lastRestart = "";
    private String reason;

    PodStatusCells(ObjectNode pod) {
        this.pod = pod;
        this.status = pod.path("status");
        this.total = pod.path("spec").path("containers").size();
        String own = Trees.text(status, "reason");
        this.reason = own.isEmpty() ? Trees.text(status, "phase") : own;
        if (Trees.objects(status.path("conditions")).stream()
                .anyMatch(one -> Trees.text(one, "type").equals("PodScheduled")
                        && Trees.text(one, "reason").equals("SchedulingGated"))) {
            reason = "SchedulingGated";
        }
        if (!readInitContainers() || hasCondition("Initialized")) {
            readContainers();
        }
        readDeletion();
    }

    String ready() {
        return ready + "/" + total;
    }

    String status() {
        return reason;
    }

    String restarts(Instant now) {
        return restarts == 0 || lastRestart.isEmpty()
                ? Long.toString(restarts)
                : restarts + " (" + Ages.since(lastRestart, now) + " ago)";
    }

    /** Returns whether the pod is still initializing. */
    private boolean readInitContainers() {
        List<ObjectNode> containers = Trees.objects(pod.path("spec").path("initContainers"));
        total += (int) containers.stream().filter(PodStatusCells::isSidecar).count();
        long sidecarRestarts = 0;
        String sidecarRestart = "";
        boolean initializing = false;
        int i = 0;
        for (ObjectNode container : Trees.objects(status.path("initContainerStatuses"))) {
            boolean sidecar = containers.stream()
                    .anyMatch(one -> isSidecar(one) && Trees.text(one, "name").equals(Trees.text(container, "name")));
            countRestarts(container);
            if (sidecar) {
                sidecarRestarts += container.path("restartCount").asLong();
                sidecarRestart = later(sidecarRestart, finishedAt(container));
            }
            JsonNode terminated = Trees.at(container, "state", "terminated");
            boolean done = terminated.isObject() && terminated.path("exitCode").asInt() == 0;
            boolean started = sidecar && container.path("started").asBoolean();
            if (!done && !started) {
                reason = "Init:" + initReason(container, terminated, i, containers.size());
                initializing = true;
                break;
            }
            ready += started && !done && container.path("ready").asBoolean() ? 1 : 0;
            i++;
        }
        if (!initializing || hasCondition("Initialized")) {
            restarts = sidecarRestarts;
            lastRestart = sidecarRestart;
        }
        return initializing;
    }

    private static String initReason(JsonNode container, JsonNode terminated, int done, int all) {
        if (terminated.isObject()) {
            return endReason(terminated);
        }
        String waiting = Trees.text(container, "state", "waiting", "reason");
        return waiting.isEmpty() || waiting.equals("PodInitializing") ? done + "/" + all : waiting;
    }

    private void readContainers() {
        List<ObjectNode> containers = Trees.objects(status.path("containerStatuses"));
        boolean running = false;
        for (ObjectNode container : containers.reversed()) {
            countRestarts(container);
            String waiting = Trees.text(container, "state", "waiting", "reason");
            JsonNode terminated = Trees.at(container, "state", "terminated");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (terminated.isObject()) {
                reason = endReason(terminated);
            } else if (container.path("ready").asBoolean()
                    && Trees.at(container, "state", "running").isObject()) {
                running = true;
                ready++;
            }
        }
        if (reason.equals("Completed") && running) {
            reason = hasCondition("Ready") ? "Running" : "NotReady";
        }
    }

    private void readDeletion() {
        if (!Cells.isDeleting(pod)) {
            return;
        }
        String phase = Trees.text(status, "phase");
        if (Trees.text(status, "reason").equals("NodeLost")) {
            reason = "Unknown";
        } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
            reason = "Terminating";
        }
    }

    private static String endReason(JsonNode terminated) {
        String reason = Trees.text(terminated, "reason");
        if (!reason.isEmpty()) {
            return reason;
        }
        long signal = terminated.path("signal").asLong();
        return signal != 0
                ? "Signal:" + signal
                : "ExitCode:" + terminated.path("exitCode").asLong();
    }

    private void countRestarts(JsonNode container) {
        restarts += container.path("restartCount").asLong();
        lastRestart = later(lastRestart, finishedAt(container));
    }

    private static String finishedAt(JsonNode container) {
        return Trees.text(container, "lastState", "terminated", "finishedAt");
    }

    /** RFC 3339 time stamps of whole seconds in UTC sort as texts. */
    private static String later(String one, String other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static boolean isSidecar(ObjectNode container) {
        return Trees.text(container, "restartPolicy").equals("Always");
    }

    private boolean hasCondition(String type) {
        return Trees.objects(status.path("conditions")).stream()
                .anyMatch(one -> Trees.text(one, "type").equals(type)
                        && Trees.text(one, "status").equals("True"));
    }
}
