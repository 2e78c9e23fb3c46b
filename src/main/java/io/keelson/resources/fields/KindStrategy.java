package io.keelson.resources.fields;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A strategy put together from checks, for kinds that differ from others by their rules only. A kind whose objects change
 * on their way writes a {@link BasicStrategy} of its own. Immutable; made by {@link #of}.
 */
public final class KindStrategy extends BasicStrategy {
    /** Finds what is wrong with an object, new or changed. */
    @FunctionalInterface
    public interface Check {
        void check(Faults faults, ObjectNode object);
    }

    /** Finds what is wrong with a change, beside what is wrong with the new state. */
    @FunctionalInterface
    public interface ChangeCheck {
        void check(Faults faults, ObjectNode object, ObjectNode old);
    }

    /** Changes an object on its way into the store. */
    @FunctionalInterface
    public interface Preparation {
        void prepare(RequestContext context, ObjectNode object, ObjectNode old);
    }

    private final List<Check> createChecks;
    private final List<Check> checks;
    private final List<ChangeCheck> changeChecks;
    private final List<ChangeCheck> statusChecks;
    private final Preparation statusPreparation;
    private final boolean keepsSpec;
    private final Consumer<ObjectNode> initialStatus;
    private final Function<ObjectNode, List<String>> warnings;
    private final boolean createOnUpdate;
    private final boolean unconditionalUpdate;

    private KindStrategy(Builder from) {
        super(from.traits);
        this.createChecks = List.copyOf(from.createChecks);
        this.checks = List.copyOf(from.checks);
        this.changeChecks = List.copyOf(from.changeChecks);
        this.statusChecks = List.copyOf(from.statusChecks);
        this.statusPreparation = from.statusPreparation;
        this.keepsSpec = from.keepsSpec;
        this.initialStatus = from.initialStatus;
        this.warnings = from.warnings;
        this.createOnUpdate = from.createOnUpdate;
        this.unconditionalUpdate = from.unconditionalUpdate;
    }

    public static Builder of(Trait... traits) {
        return new Builder(traits);
    }

    @Override
    protected ObjectNode initialStatus(ObjectNode object) {
        ObjectNode status = object.objectNode();
        initialStatus.accept(status);
        return status;
    }

    @Override
    public List<FieldError> validate(RequestContext context, ObjectNode object) {
        warnings.apply(object).forEach(context::warn);
        var faults = new Faults();
        createChecks.forEach(check -> check.check(faults, object));
        checks.forEach(check -> check.check(faults, object));
        return faults.list();
    }

    @Override
    public List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        var faults = new Faults();
        checks.forEach(check -> check.check(faults, object));
        changeChecks.forEach(check -> check.check(faults, object, old));
        return faults.list();
    }

    @Override
    public void prepareForUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        if (keepsSpec) {
            copy(old, object, "spec");
        }
        super.prepareForUpdate(context, object, old);
    }

    @Override
    public void prepareStatusUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        statusPreparation.prepare(context, object, old);
    }

    @Override
    public List<FieldError> validateStatusUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
        var faults = new Faults();
        statusChecks.forEach(check -> check.check(faults, object, old));
        return faults.list();
    }

    @Override
    public boolean allowCreateOnUpdate() {
        return createOnUpdate;
    }

    @Override
    public boolean allowUnconditionalUpdate() {
        return unconditionalUpdate;
    }

    /** Collects a strategy. Not thread-safe; of no use after {@link #build}. */
    public static final class Builder {
        private final Trait[] traits;
        private final List<Check> createChecks = new ArrayList<>();
        private final List<Check> checks = new ArrayList<>();
        private final List<ChangeCheck> changeChecks = new ArrayList<>();
        private final List<ChangeCheck> statusChecks = new ArrayList<>();
        private Preparation statusPreparation = (context, object, old) -> {};
        private boolean keepsSpec;
        private Consumer<ObjectNode> initialStatus = status -> {};
        private Function<ObjectNode, List<String>> warnings = object -> List.of();
        private boolean createOnUpdate;
        private boolean unconditionalUpdate = true;

        private Builder(Trait... traits) {
            this.traits = traits.clone();
        }

        /** Checks new objects and the new state of changed ones. */
        public Builder check(Check check) {
            checks.add(check);
            return this;
        }

        /** Checks new objects only. */
        public Builder checkNew(Check check) {
            createChecks.add(check);
            return this;
        }

        public Builder checkChange(ChangeCheck check) {
            changeChecks.add(check);
            return this;
        }

        /** The whole spec stays as it was made. */
        public Builder immutableSpec() {
            return checkChange(
                    (faults, object, old) -> faults.immutable("spec", object.path("spec"), old.path("spec")));
        }

        /** The whole spec stays as it was made, whatever an update says. */
        public Builder keepsSpec() {
            this.keepsSpec = true;
            return this;
        }

        /** Changes the status that comes through its subresource. */
        public Builder prepareStatus(Preparation preparation) {
            this.statusPreparation = preparation;
            return this;
        }

        /** Checks the status that comes through its subresource. */
        public Builder checkStatus(ChangeCheck check) {
            statusChecks.add(check);
            return this;
        }

        /** Fills in the status of a new object. */
        public Builder initialStatus(Consumer<ObjectNode> fill) {
            this.initialStatus = fill;
            return this;
        }

        /** Warns who creates an object of what is allowed but seldom meant. */
        public Builder warnNew(Function<ObjectNode, List<String>> about) {
            this.warnings = about;
            return this;
        }

        /** A PUT of an absent object creates it. */
        public Builder createOnUpdate() {
            this.createOnUpdate = true;
            return this;
        }

        /** An update must say which version it replaces. */
        public Builder conditionalUpdate() {
            this.unconditionalUpdate = false;
            return this;
        }

        public KindStrategy build() {
            return new KindStrategy(this);
        }
    }
}
