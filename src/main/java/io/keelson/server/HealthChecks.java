package io.keelson.server;

import io.keelson.cacher.Cacher;
import io.keelson.cacher.CacherStatus;
import io.keelson.endpoints.HealthCheck;
import io.keelson.endpoints.HealthCheck.Outcome;
import io.keelson.endpoints.HealthCheck.Result;
import io.keelson.registry.ResourceDefinition;
import io.keelson.storage.kv.StoreStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What health looks at: the store, the first objects and every watch cache. Liveness looks at none of them, so that an
 * outage of etcd restarts no pod.
 */
final class HealthChecks {
    private final ApiServer server;
    private final Duration lagThreshold;
    private final long lagRevisions;
    private final String storeName;

    HealthChecks(ApiServer server, KeelsonConfig config) {
        this.server = server;
        this.lagThreshold = config.watchCache().lagThreshold();
        this.lagRevisions = config.watchCache().lagRevisions();
        this.storeName = config.storage().type().equals(StorageFactory.ETCD) ? "etcd" : "storage";
    }

    List<HealthCheck> all() {
        var checks = new ArrayList<HealthCheck>();
        checks.add(new HealthCheck("ping", true, () -> Result.ok(Map.of())));
        checks.add(new HealthCheck(storeName, false, this::store));
        checks.add(new HealthCheck("poststarthook/bootstrap-namespaces", false, this::bootstrap));
        checks.add(new HealthCheck("crd-informer-synced", false, this::customResources));
        for (ResourceStack stack : server.stacks()) {
            Cacher cacher = stack.cacher();
            if (cacher != null) {
                checks.add(new HealthCheck(cacheName(stack.store().definition()), false, () -> cache(cacher)));
            }
        }
        return checks;
    }

    /** The same, and those of the custom resources that are served now. */
    List<HealthCheck> allNow() {
        var checks = all();
        server.customResources().caches().forEach((resource, cacher) -> checks.add(ofCustom(resource, cacher)));
        return checks;
    }

    /** A cache that comes with a definition is being filled at first, which is no reason to take the server out of service. */
    HealthCheck ofCustom(ResourceDefinition resource, Cacher cacher) {
        return new HealthCheck(cacheName(resource), false, () -> {
            Result result = cache(cacher);
            return result.outcome() == Outcome.FAILED
                    ? new Result(Outcome.DEGRADED, result.reason(), result.data())
                    : result;
        });
    }

    private static String cacheName(ResourceDefinition definition) {
        String group = definition.resource().group();
        return "watch-cache/" + (group.isEmpty() ? "core" : group) + "/" + definition.plural();
    }

    private Result store() {
        StoreProbe.Finding finding = server.probe().look();
        var data = new LinkedHashMap<String, Object>();
        StoreStatus status = finding.status();
        if (status != null) {
            data.put("type", status.type());
            data.put("members", String.join(",", status.members()));
            data.put("leader", status.leader());
            data.put("version", status.version());
            data.put("databaseBytes", status.databaseBytes());
            data.put("revision", status.revision());
        }
        data.put("lastError", finding.lastError());
        return new Result(finding.error().isEmpty() ? Outcome.OK : Outcome.FAILED, finding.error(), data);
    }

    private Result bootstrap() {
        return server.bootstrapped()
                ? Result.ok(Map.of())
                : new Result(Outcome.FAILED, "the first objects are not there yet", Map.of());
    }

    private Result customResources() {
        return server.customResourcesServed()
                ? Result.ok(Map.of())
                : new Result(Outcome.FAILED, "the custom resources are not served yet", Map.of());
    }

    private Result cache(Cacher cacher) {
        CacherStatus status = cacher.status();
        String degraded = degraded(status);
        var data = new LinkedHashMap<String, Object>();
        data.put("state", !status.ready() ? "filling" : lags(status) ? "lagging" : "ready");
        data.put("window", (long) status.capacity());
        data.put("events", status.events());
        data.put("oldest", status.oldestRevision());
        data.put("newest", status.revision());
        data.put("objects", status.objects());
        data.put("watchers", (long) status.watchers());
        data.put("lagRevisions", status.revisionsBehind());
        data.put("lagSeconds", Double.toString(seconds(status)));
        if (!status.ready()) {
            return new Result(Outcome.FAILED, status.failure().isEmpty() ? "being filled" : status.failure(), data);
        }
        return degraded.isEmpty() ? Result.ok(data) : new Result(Outcome.DEGRADED, degraded, data);
    }

    private static double seconds(CacherStatus status) {
        return Math.round(status.secondsSinceCurrent() * 10) / 10.0;
    }

    private boolean lags(CacherStatus status) {
        return lagsInTime(status) || status.revisionsBehind() > lagRevisions;
    }

    private boolean lagsInTime(CacherStatus status) {
        return status.secondsSinceCurrent() > lagThreshold.toMillis() / 1000.0;
    }

    /** What is wrong with a cache that answers all the same; empty for nothing. */
    private String degraded(CacherStatus status) {
        var reasons = new ArrayList<String>();
        if (lagsInTime(status)) {
            reasons.add("not known to be current for " + seconds(status) + " s");
        }
        if (status.revisionsBehind() > lagRevisions) {
            reasons.add(status.revisionsBehind() + " revisions behind");
        }
        if (!reasons.isEmpty() && !status.failure().isEmpty()) {
            reasons.add(status.failure());
        }
        if (!status.consistency().difference().isEmpty()) {
            reasons.add(status.consistency().difference());
        }
        return String.join(": ", reasons);
    }
}
