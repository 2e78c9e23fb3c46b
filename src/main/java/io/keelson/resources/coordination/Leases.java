package io.keelson.resources.coordination;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.resources.fields.Cells;
import io.keelson.resources.fields.Defaults;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.List;

/** Leases: who leads, and until when. */
public final class Leases {
    private Leases() {}

    public static ResourceDefinition definition() {
        return ResourceDefinition.of("coordination.k8s.io", "v1", "Lease", "leases")
                .strategy(new LeaseStrategy())
                .defaults(Defaults.of(lease -> Trees.child(lease, "spec")))
                .columns(Cells.text("Holder", "Who holds the lease.", "spec", "holderIdentity"), Column.AGE)
                .build();
    }

    private static final class LeaseStrategy extends BasicStrategy {
        LeaseStrategy() {
            super(Trait.NAMESPACED);
        }

        /** Two holders who do not look must not both win. */
        @Override
        public boolean allowUnconditionalUpdate() {
            return false;
        }

        /** A node's agent renews its lease by replacing it, whether or not it is there. */
        @Override
        public boolean allowCreateOnUpdate() {
            return true;
        }

        @Override
        public List<FieldError> validate(RequestContext context, ObjectNode lease) {
            var faults = new Faults();
            JsonNode spec = lease.path("spec");
            faults.positive("spec.leaseDurationSeconds", spec.path("leaseDurationSeconds"));
            faults.notNegative("spec.leaseTransitions", spec.path("leaseTransitions"));
            if (spec.has("holderIdentity") && Trees.text(spec, "holderIdentity").isEmpty()) {
                faults.invalid("spec.holderIdentity", "", "must not be empty");
            }
            return faults.list();
        }
    }
}
