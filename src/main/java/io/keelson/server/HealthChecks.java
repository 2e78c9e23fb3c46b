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
 * What health looks at: the store, the first namespaces and every watch cache. Liveness looks at none of them, so that an
 * outage of etcd restarts no pod.
 */
final class HealthChecks {
    private final ApiServer server;
    private final Duration lagThreshold;
    private final String storeName;

    HealthChecks(ApiServer server, KeelsonConfig config) {
        this.server = server;
        this.lagThreshold = config.watchCache().lagThreshold();
        this.storeName = config.storage().type().equals(StorageFactory.ETCD) ? "etcd" : "storage";
    }

    List<HealthCheck> all() {
        var checks = new ArrayList<HealthCheck>();
        checks.add(new HealthCheck("ping", true, () -> Result.ok(Map.of())));
        checks.add(new HealthCheck(storeName, false, this::store));
        checks.add(new HealthCheck("poststarthook/bootstrap-namespaces", false, this::bootstrap));
        for (ResourceStack stack : server.stacks()) {
            Cacher cacher = stack.cacher();
            if (cacher != null) {
                checks.add(new HealthCheck(cacheName(stack.store().definition()), false, () -> cache(cacher)));
            }
        }
        return checks;
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
                : new Result(Outcome.FAILED, "the first namespaces are not there yet", Map.of());
    }

    private Result cache(Cacher cacher) {
        CacherStatus status = cacher.status();
        StoreStatus store = server.probe().last().status();
        long behind = store == null ? 0 : Math.max(0, store.revision() - status.revision());
        double seconds = Math.round(status.secondsSinceCurrent() * 10) / 10.0;
        boolean lags = status.secondsSinceCurrent() > lagThreshold.toMillis() / 1000.0;
        var data = new LinkedHashMap<String, Object>();
        data.put("state", !status.ready() ? "filling" : lags ? "lagging" : "ready");
        data.put("window", (long) status.capacity());
        data.put("events", status.events());
        data.put("oldest", status.oldestRevision());
        data.put("newest", status.revision());
        data.put("objects", status.objects());
        data.put("watchers", (long) status.watchers());
        data.put("lagRevisions", behind);
        data.put("lagSeconds", Double.toString(seconds));
        if (!status.ready()) {
            String why = status.failure().isEmpty() ? "being filled" : status.failure();
            return new Result(Outcome.FAILED, why, data);
        }
        if (lags) {
            String why = "not known to be current for " + seconds + " s"
                    + (status.failure().isEmpty() ? "" : ": " + status.failure());
            return new Result(Outcome.DEGRADED, why, data);
        }
        return Result.ok(data);
    }
}
