package io.keelson.endpoints.protobuf;

import java.util.Set;

/**
 * The fields whose zero is a value. In the API's Go types these are pointers: they are absent on the wire where nobody set
 * them, so that {@code replicas: 0} or {@code automountServiceAccountToken: false} is something that was asked for. All
 * other fields are always on the wire, and their zero means that nobody set them.
 */
final class OptionalFields {
    /** Names that are pointers in every message that has such a field. */
    private static final Set<String> EVERYWHERE = words("""
            activeDeadlineSeconds adminAccess allowMultipleAllocations allowPrivilegeEscalation
            allowVolumeExpansion allocateLoadBalancerNodePorts appProtocol attachRequired
            automountServiceAccountToken averageUtilization backoffLimit backoffLimitPerIndex
            bindsToNode blockOwnerDeletion borrowingLimitPercent cachingMode collisionCount
            completionMode completions currentAverageUtilization currentCPUUtilizationPercentage
            currentVolumeAttributesClassName defaultMode deletionGracePeriodSeconds
            deprecationWarning distinctAttribute enableServiceLinks endPort endpointsNamespace
            errorCode expirationSeconds extendedResourceName failedIndexes failedJobsHistoryLimit
            failurePolicy fsGroup fsGroupChangePolicy fsGroupPolicy gmsaCredentialSpec
            gmsaCredentialSpecName gracePeriodSeconds holderIdentity hostProcess hostUsers
            hostnameOverride ignoreStoreReadErrorWithClusterBreakingPotential immutable
            ingressClassName initiatorName internalTrafficPolicy ipFamilyPolicy ipMode
            labelSelectorPath leaseDurationSeconds leaseTransitions lendablePercent
            loadBalancerClass localhostProfile lun managedBy manualSelector matchAttribute
            matchPolicy maxExpirationSeconds maxFailedIndexes maxItems maxLength maxProperties
            maxSurge maxUnavailable maximum minAvailable minDomains minItems minLength minProperties
            minReplicas minimum mode mountPropagation multipleOf nodeAffinityPolicy
            nodeAllocatableUpdatePeriodSeconds nodeTaintsPolicy nominalConcurrencyShares optional
            optionalOldSelf orphanDependents parallelism parameterNotFoundAction pathType
            perDeviceNodeSelection persistentVolumeName podGroupName podInfoOnMount
            podReplacementPolicy preemptionPolicy preferredHolder priority privileged procMount
            progressDeadlineSeconds propagationPolicy readOnlyRootFilesystem reclaimPolicy
            recursiveReadOnly recursiveReadOnlyMounts remainingItemCount requiresRepublish
            resourceClaimName resourceClaimTemplateName revisionHistoryLimit runAsGroup runAsNonRoot
            runAsUser runAsUserName runtimeClassName seLinuxChangePolicy seLinuxMount
            secretNamespace selectPolicy serviceAccountTokenInSecrets serving setHostnameAsFQDN
            shareID shareProcessNamespace sideEffects stabilizationWindowSeconds started
            startingDeadlineSeconds stopSignal storageCapacity succeededCount succeededIndexes
            successfulJobsHistoryLimit supplementalGroupsPolicy suspend targetAverageUtilization
            targetCPUUtilizationPercentage terminating terminatingReplicas
            terminationGracePeriodSeconds timeZone tolerationSeconds trafficDistribution
            ttlSecondsAfterFinished unhealthyPodEvictionPolicy url userNamespaces
            volumeAttributesClassName volumeBindingMode volumeMode x-kubernetes-list-type
            x-kubernetes-map-type x-kubernetes-preserve-unknown-fields zone
            """);

    /** Fields whose name is a plain value in other messages. */
    private static final Set<String> IN_MESSAGES = words("""
            AzureDiskVolumeSource.fsType AzureDiskVolumeSource.kind AzureDiskVolumeSource.readOnly
            CSIVolumeSource.fsType CSIVolumeSource.readOnly ClientIPConfig.timeoutSeconds
            ClusterTrustBundleProjection.name ClusterTrustBundleProjection.signerName
            Container.restartPolicy DeploymentSpec.replicas Device.allNodes Device.nodeName
            DeviceAttribute.bool DeviceAttribute.int DeviceAttribute.string DeviceAttribute.version
            Endpoint.hostname Endpoint.nodeName EndpointAddress.nodeName EndpointConditions.ready
            EphemeralContainerCommon.restartPolicy HorizontalPodAutoscalerStatus.observedGeneration
            HostPathVolumeSource.type IngressClassParametersReference.apiGroup
            IngressClassParametersReference.namespace IngressClassParametersReference.scope
            IngressPortStatus.error JobStatus.ready LeaseSpec.strategy LocalVolumeSource.fsType
            MutatingWebhook.reinvocationPolicy MutatingWebhook.timeoutSeconds NetworkPolicyPort.port
            NetworkPolicyPort.protocol NodeSwapStatus.capacity OwnerReference.controller
            PersistentVolumeClaimSpec.storageClassName PodDNSConfigOption.value
            PodFailurePolicyOnExitCodesRequirement.containerName PortStatus.error
            Preconditions.resourceVersion Preconditions.uid ReplicaSetSpec.replicas
            ReplicationControllerSpec.replicas ResourceSliceSpec.allNodes ResourceSliceSpec.nodeName
            RollingUpdateStatefulSetStrategy.partition Rule.scope ServiceReference.path
            ServiceReference.port StatefulSetSpec.replicas TypedLocalObjectReference.apiGroup
            TypedObjectReference.apiGroup TypedObjectReference.namespace
            ValidatingWebhook.timeoutSeconds Validation.reason ValidationRule.reason
            VolumeNodeResources.count discovery.v1.EndpointPort.name discovery.v1.EndpointPort.port
            discovery.v1.EndpointPort.protocol
            """);

    private OptionalFields() {}

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    /** Whether a field, by its name in JSON, is one of them. The message's name has its package: {@code apps.v1.Scale}. */
    static boolean contains(String message, String name) {
        String simple = message.substring(message.lastIndexOf('.') + 1);
        return EVERYWHERE.contains(name)
                || IN_MESSAGES.contains(simple + "." + name)
                || IN_MESSAGES.contains(message + "." + name);
    }
}
