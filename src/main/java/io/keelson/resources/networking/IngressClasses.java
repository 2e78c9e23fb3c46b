package io.keelson.resources.networking;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Names;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.KindStrategy;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Ingress classes: which controller serves the ingresses that name one. */
public final class IngressClasses {
    private static final List<String> SCOPES = List.of("Cluster", "Namespace");

    private IngressClasses() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("networking.k8s.io", "v1", "IngressClass", "ingressclasses")
                .strategy(KindStrategy.of(Trait.GENERATION)
                        .check(IngressClasses::check)
                        .checkChange((faults, one, old) -> faults.immutableSpec(one, old, "controller"))
                        .build())
                .defaults(Defaults.of(IngressClasses::fill))
                .columns(
                        Cells.text("Controller", "The controller that serves this class.", "spec", "controller"),
                        Column.of(
                                "Parameters",
                                "string",
                                "The object that configures the controller.",
                                (one, now) -> parameters(one)),
                        Column.AGE)
                .build();
    }

    private static void fill(ObjectNode one) {
        if (Trees.child(one, "spec").path("parameters") instanceof ObjectNode parameters) {
            Trees.fill(parameters, "scope", "Cluster");
        }
    }

    private static String parameters(ObjectNode one) {
        JsonNode parameters = Trees.at(one, "spec", "parameters");
        if (!parameters.isObject()) {
            return Cells.NONE;
        }
        String group = Trees.text(parameters, "apiGroup");
        String kind = Trees.text(parameters, "kind");
        return (group.isEmpty() ? kind : kind + "." + group) + "/" + Trees.text(parameters, "name");
    }

    private static void check(Faults faults, ObjectNode one) {
        JsonNode spec = one.path("spec");
        faults.presentByRule("spec.controller", spec.path("controller"), Names::domainPrefixedPath);
        JsonNode parameters = spec.path("parameters");
        if (!parameters.isObject()) {
            return;
        }
        String at = "spec.parameters";
        if (Trees.has(parameters, "apiGroup")) {
            faults.rule(at + ".apiGroup", Trees.text(parameters, "apiGroup"), Names::subdomain);
        }
        faults.presentByRule(at + ".kind", parameters.path("kind"), Names::pathSegment);
        faults.presentByRule(at + ".name", parameters.path("name"), Names::pathSegment);
        faults.oneOf(at + ".scope", parameters.path("scope"), SCOPES);
        boolean namespaced = Trees.text(parameters, "scope").equals("Namespace");
        if (namespaced) {
            faults.presentByRule(at + ".namespace", parameters.path("namespace"), Names::label);
        } else if (Trees.has(parameters, "namespace")) {
            faults.forbidden(at + ".namespace", "parameters.scope is set to 'Cluster'");
        }
    }
}
