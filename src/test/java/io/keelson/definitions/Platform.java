package io.keelson.definitions;

import io.fabric8.crd.generator.annotation.PrinterColumn;
import io.fabric8.crd.generator.annotation.SelectableField;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerSpec;
import io.fabric8.kubernetes.api.model.batch.v1.CronJobSpec;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteSpec;
import io.fabric8.kubernetes.api.model.networking.v1.IngressSpec;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import java.util.Map;

/**
 * A custom resource with the whole of many built-in kinds in it and with rules at all depths, of which fabric8's generator
 * makes a definition as large as definitions come.
 */
@Group("platform.example.com")
@Version("v1")
@ShortNames("pf")
public final class Platform extends CustomResource<Platform.Spec, Platform.Status> implements Namespaced {
    private static final long serialVersionUID = 1;

    /** What a platform is to be. */
    @ValidationRule(
            value = "self.components.map(c, c.replicas).sum() <= self.maxReplicas",
            messageExpression = "'at most ' + string(self.maxReplicas) + ' replicas in all'",
            fieldPath = ".maxReplicas")
    @ValidationRule(
            value = "!has(self.entry) || self.components.exists(c, c.name == self.entry)",
            message = "entry must name a component")
    public static final class Spec {
        @Required
        @Size(min = 1, max = 16)
        public List<Component> components;

        @SelectableField
        @PrinterColumn(name = "Tier")
        @Default("standard")
        @ValidationRule(value = "self == oldSelf", message = "tier cannot be changed", reason = "FieldValueForbidden")
        public Tier tier;

        @SpecReplicas
        @Min(0)
        @Max(1000)
        @Default("100")
        public Integer maxReplicas;

        public String entry;

        @Size(max = 8)
        public Map<String, Quantity> quotas;

        public IngressSpec ingress;
        public HTTPRouteSpec route;
        public HorizontalPodAutoscalerSpec autoscaler;

        @Size(max = 8)
        public List<CronJobSpec> schedules;
    }

    /** How much is promised. */
    public enum Tier {
        standard,
        premium
    }

    /** One program of a platform. */
    @ValidationRule(
            value = "!self.stateful || has(self.storage)",
            message = "a stateful component needs storage",
            reason = "FieldValueRequired",
            fieldPath = ".storage")
    public static final class Component {
        @Required
        @Pattern("^[a-z]([-a-z0-9]*[a-z0-9])?$")
        @Size(max = 63)
        public String name;

        @Default("false")
        public Boolean stateful;

        @Default("1")
        @Min(0)
        @Max(100)
        public Integer replicas;

        public IntOrString surge;

        @ValidationRule(value = "isURL(self)", message = "source must be a URL")
        @Size(max = 512)
        public String source;

        @ValidationRule(
                value = "!has(self.spec) || !has(self.spec.hostNetwork) || !self.spec.hostNetwork",
                message = "the network of the host is not for components",
                fieldPath = ".spec.hostNetwork")
        public PodTemplateSpec template;

        public ServiceSpec service;
        public PersistentVolumeClaimSpec storage;
        public StatefulSetSpec database;
    }

    /** What a platform is. */
    public static final class Status {
        @StatusReplicas
        public Integer readyReplicas;

        public String phase;
    }
}
