package io.keelson.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.apps.ControllerRevisions;
import io.keelson.resources.apps.DaemonSets;
import io.keelson.resources.apps.Deployments;
import io.keelson.resources.apps.ReplicaSets;
import io.keelson.resources.apps.StatefulSets;
import io.keelson.resources.batch.CronJobs;
import io.keelson.resources.batch.Jobs;
import io.keelson.resources.coordination.Leases;
import io.keelson.resources.core.ConfigMaps;
import io.keelson.resources.core.EndpointsKind;
import io.keelson.resources.core.Events;
import io.keelson.resources.core.LimitRanges;
import io.keelson.resources.core.Namespaces;
import io.keelson.resources.core.Nodes;
import io.keelson.resources.core.PersistentVolumeClaims;
import io.keelson.resources.core.PersistentVolumes;
import io.keelson.resources.core.PodTemplateKind;
import io.keelson.resources.core.ReplicationControllers;
import io.keelson.resources.core.ResourceQuotas;
import io.keelson.resources.core.Secrets;
import io.keelson.resources.core.ServiceAccounts;
import io.keelson.resources.core.ServiceAllocator;
import io.keelson.resources.core.Services;
import io.keelson.resources.pods.Pods;
import java.util.List;

/** The kinds that the server knows without being told. A kind is added by its own small file and a line here. */
public final class BuiltinResources {
    private BuiltinResources() {}

    /** All kinds where no service exists yet, as in an empty store that this server alone writes. */
    public static List<ResourceDefinition> all() {
        return all(new ServiceAllocator(List::<ObjectNode>of));
    }

    /**
     * All kinds, group by group, in the order in which discovery shows them.
     *
     * @param allocator gives services their addresses and node ports
     */
    public static List<ResourceDefinition> all(ServiceAllocator allocator) {
        return List.of(
                ConfigMaps.definition(),
                EndpointsKind.definition(),
                Events.definition(),
                LimitRanges.definition(),
                Namespaces.definition(),
                Nodes.definition(),
                PersistentVolumeClaims.definition(),
                PersistentVolumes.definition(),
                Pods.definition(),
                PodTemplateKind.definition(),
                ReplicationControllers.definition(),
                ResourceQuotas.definition(),
                Secrets.definition(),
                ServiceAccounts.definition(),
                Services.definition(allocator),
                ControllerRevisions.definition(),
                DaemonSets.definition(),
                Deployments.definition(),
                ReplicaSets.definition(),
                StatefulSets.definition(),
                CronJobs.definition(),
                Jobs.definition(),
                Leases.definition());
    }
}
