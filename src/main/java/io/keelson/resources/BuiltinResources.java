package io.keelson.resources;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.resources.admissionregistration.AdmissionPolicies;
import io.keelson.resources.admissionregistration.PolicyBindings;
import io.keelson.resources.admissionregistration.WebhookConfigurations;
import io.keelson.resources.apiregistration.ApiServices;
import io.keelson.resources.apps.ControllerRevisions;
import io.keelson.resources.apps.DaemonSets;
import io.keelson.resources.apps.Deployments;
import io.keelson.resources.apps.ReplicaSets;
import io.keelson.resources.apps.StatefulSets;
import io.keelson.resources.authorization.Reviews;
import io.keelson.resources.autoscaling.Autoscalers;
import io.keelson.resources.batch.CronJobs;
import io.keelson.resources.batch.Jobs;
import io.keelson.resources.certificates.CertificateSigningRequests;
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
import io.keelson.resources.devices.DeviceKinds;
import io.keelson.resources.discovery.EndpointSlices;
import io.keelson.resources.events.EventsV1;
import io.keelson.resources.flowcontrol.FlowSchemas;
import io.keelson.resources.flowcontrol.PriorityLevels;
import io.keelson.resources.networking.IngressClasses;
import io.keelson.resources.networking.Ingresses;
import io.keelson.resources.networking.IpAddressKind;
import io.keelson.resources.networking.NetworkPolicies;
import io.keelson.resources.networking.ServiceCidrs;
import io.keelson.resources.node.RuntimeClasses;
import io.keelson.resources.pods.Pods;
import io.keelson.resources.policy.PodDisruptionBudgets;
import io.keelson.resources.rbac.RoleBindings;
import io.keelson.resources.rbac.Roles;
import io.keelson.resources.scheduling.PriorityClasses;
import io.keelson.resources.volumes.CsiDrivers;
import io.keelson.resources.volumes.CsiNodes;
import io.keelson.resources.volumes.CsiStorageCapacities;
import io.keelson.resources.volumes.StorageClasses;
import io.keelson.resources.volumes.VolumeAttachments;
import io.keelson.resources.volumes.VolumeAttributesClasses;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The kinds that the server knows without being told. A kind is added by its own small file and a line here. */
public final class BuiltinResources {
    /** What the core group, whose own name is empty, is called where groups are listed. */
    public static final String CORE = "core";

    private BuiltinResources() {}

    /** All kinds where no service exists yet, as in an empty store that this server alone writes. */
    public static List<ResourceDefinition> all() {
        return all(new ServiceAllocator(List::<ObjectNode>of));
    }

    /** The groups that there are, by name. */
    public static Set<String> groups() {
        Stream<ResourceDefinition> reviews = Reviews.all().stream().map(RestStorage::definition);
        return Stream.concat(all().stream(), reviews)
                .map(BuiltinResources::groupOf)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * The kinds of some groups and of the core group, which is always there.
     *
     * @param allocator gives services their addresses and node ports
     * @param groups by name
     */
    public static List<ResourceDefinition> ofGroups(ServiceAllocator allocator, Collection<String> groups) {
        return all(allocator).stream()
                .filter(definition -> definition.kind().group().isEmpty() || groups.contains(groupOf(definition)))
                .toList();
    }

    private static String groupOf(ResourceDefinition definition) {
        String group = definition.kind().group();
        return group.isEmpty() ? CORE : group;
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
                ApiServices.definition(),
                ControllerRevisions.definition(),
                DaemonSets.definition(),
                Deployments.definition(),
                ReplicaSets.definition(),
                StatefulSets.definition(),
                EventsV1.definition(),
                Autoscalers.v2(),
                Autoscalers.v1(),
                CronJobs.definition(),
                Jobs.definition(),
                CertificateSigningRequests.definition(),
                IngressClasses.definition(),
                Ingresses.definition(),
                IpAddressKind.definition(),
                NetworkPolicies.definition(),
                ServiceCidrs.definition(),
                PodDisruptionBudgets.definition(),
                RoleBindings.clusterRoleBinding(),
                Roles.clusterRole(),
                RoleBindings.roleBinding(),
                Roles.role(),
                CsiDrivers.definition(),
                CsiNodes.definition(),
                CsiStorageCapacities.definition(),
                StorageClasses.definition(),
                VolumeAttachments.definition(),
                VolumeAttributesClasses.definition(),
                AdmissionPolicies.mutating(),
                PolicyBindings.mutating(),
                WebhookConfigurations.mutating(),
                AdmissionPolicies.validating(),
                PolicyBindings.validating(),
                WebhookConfigurations.validating(),
                PriorityClasses.definition(),
                Leases.definition(),
                RuntimeClasses.definition(),
                EndpointSlices.definition(),
                DeviceKinds.classes(),
                DeviceKinds.claims(),
                DeviceKinds.templates(),
                DeviceKinds.slices(),
                FlowSchemas.definition(),
                PriorityLevels.definition());
    }
}
