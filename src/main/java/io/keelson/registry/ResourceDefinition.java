package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.GroupResource;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Names;
import io.keelson.api.SelectableFields;
import io.keelson.patch.apply.OtherVersions;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * All that the server knows of a resource, in one place: its names, scope, subresources, defaults, strategy, selectable
 * fields and table. A kind is added by writing one of these. Immutable; made by {@link #of}.
 */
public final class ResourceDefinition {
    private final Builder from;

    private ResourceDefinition(Builder from) {
        this.from = from;
    }

    /** Begins the definition of a resource; {@code plural} is its name in paths. */
    public static Builder of(String group, String version, String kind, String plural) {
        return new Builder(new GroupVersionKind(group, version, kind), plural);
    }

    public GroupVersionKind kind() {
        return from.kind;
    }

    public GroupResource resource() {
        return from.resource;
    }

    /** The name in paths, such as {@code configmaps}. */
    public String plural() {
        return from.resource.resource();
    }

    public String singular() {
        return from.singular;
    }

    public List<String> shortNames() {
        return from.shortNames;
    }

    public List<String> categories() {
        return from.categories;
    }

    public boolean namespaced() {
        return from.strategy.namespaceScoped();
    }

    public Strategy strategy() {
        return from.strategy;
    }

    public Hooks hooks() {
        return from.hooks;
    }

    public SelectableFields selectableFields() {
        return from.selectableFields;
    }

    public List<Column> columns() {
        return from.columns;
    }

    /**
     * The form of an object that the columns read.
     *
     * @param object may be changed and returned
     */
    public ObjectNode tableForm(ObjectNode object) {
        StoredVersion stored = from.storedAs;
        return stored != null && from.columnsOfStored ? stored.converter().toStored(object) : object;
    }

    public boolean hasStatus() {
        return from.strategy instanceof BasicStrategy basic && basic.hasStatus();
    }

    /** The paths of the scale subresource, null where the kind has none. */
    public @Nullable ScalePaths scale() {
        return from.scale;
    }

    /** What the kind's fields are; null where nobody has said. Made when it is first asked for. */
    public @Nullable Schema schema() {
        return from.schema.get();
    }

    /** Whether a CustomResourceDefinition defines it. */
    public boolean isCustom() {
        return from.custom;
    }

    /** The kind of a list of the objects. */
    public String listKind() {
        return from.listKind;
    }

    /** The kind's schema in the words of OpenAPI 3, made anew; null where the library of the built-in kinds is to say. */
    public @Nullable ObjectNode openApiSchema() {
        return from.openApiSchema.get();
    }

    /** Which state of its definition {@link #openApiSchema} is of, unique over time; empty for the built-in kinds. */
    public String openApiRevision() {
        return from.openApiRevision;
    }

    /** Brings what a client sends into the kind's form; gives the paths of fields that it dropped. */
    public Function<ObjectNode, List<String>> pruning() {
        return from.pruning;
    }

    /** Fills in the values that fields have where nothing is written. Applied to whatever a client sends. */
    public Consumer<ObjectNode> defaults() {
        return from.defaults;
    }

    /** What is wrong with a name, in Kubernetes' words. */
    public Function<String, List<String>> nameRule() {
        return from.nameRule;
    }

    /** After how many seconds an object goes by itself; 0 for never. */
    public ToLongFunction<ObjectNode> ttlSeconds() {
        return from.ttlSeconds;
    }

    /** What clients are warned of that use this version; empty where nothing is to be said. */
    public String deprecation() {
        return from.deprecation;
    }

    /** Whether a deletion answers with the object instead of a Status. */
    public boolean returnsDeletedObject() {
        return from.returnsDeletedObject;
    }

    /** Whether list items leave apiVersion and kind out, as those of the built-in kinds do. */
    public boolean bareListItems() {
        return from.bareListItems;
    }

    /** From how many bytes on an object is packed in the cache. */
    public int packedFrom() {
        return from.packedFrom;
    }

    /** How the objects are stored as those of another version; null where they are stored as they are served. */
    public @Nullable StoredVersion storedAs() {
        return from.storedAs;
    }

    /** What owned fields are called in the versions that are stored as this one. */
    public OwnedFieldNames ownedFieldNames() {
        return from.ownedFieldNames;
    }

    /** The kind that the objects are stored as; null where no version of that is served. */
    public @Nullable GroupVersionKind storedKind() {
        StoredVersion stored = from.storedAs;
        return stored == null ? from.storedKind : stored.definition().kind();
    }

    /** The other versions in which managers may own fields. */
    public OtherVersions otherVersions() {
        return from.otherVersions;
    }

    /** Where the objects' keys begin below the storage prefix: {@code group/resource}, the core group without a group. */
    public String storagePath() {
        return from.resource.group().isEmpty() ? plural() : from.resource.group() + "/" + plural();
    }

    @Override
    public String toString() {
        return from.resource.toString();
    }

    /** Collects a definition. Not thread-safe; of no use after {@link #build}. */
    public static final class Builder {
        private final GroupVersionKind kind;
        private final GroupResource resource;
        private String singular;
        private List<String> shortNames = List.of();
        private List<String> categories = List.of();
        private Strategy strategy = new BasicStrategy(BasicStrategy.Trait.NAMESPACED);
        private Hooks hooks = Hooks.NONE;
        private SelectableFields selectableFields = SelectableFields.NONE;
        private List<Column> columns = List.of(Column.NAME, Column.AGE);
        private @Nullable ScalePaths scale;
        private Consumer<ObjectNode> defaults = object -> {};
        private Function<String, List<String>> nameRule = Names::subdomain;
        private ToLongFunction<ObjectNode> ttlSeconds = object -> 0;
        private @Nullable StoredVersion storedAs;
        private @Nullable GroupVersionKind storedKind;
        private OtherVersions otherVersions = OtherVersions.NONE;
        private OwnedFieldNames ownedFieldNames = OwnedFieldNames.SAME;
        private boolean columnsOfStored;
        private boolean returnsDeletedObject;
        private boolean bareListItems = true;
        private int packedFrom = Integer.MAX_VALUE;
        private String listKind;
        private boolean custom;
        private String deprecation = "";
        private Supplier<@Nullable ObjectNode> openApiSchema = () -> null;
        private String openApiRevision = "";
        private Function<ObjectNode, List<String>> pruning = object -> List.of();

        private Supplier<@Nullable Schema> schema;

        private Builder(GroupVersionKind kind, String plural) {
            this.schema = () -> BuiltinSchemas.of(kind);
            this.kind = kind;
            this.storedKind = kind;
            this.listKind = kind.kind() + "List";
            this.resource = new GroupResource(kind.group(), plural);
            this.singular = kind.kind().toLowerCase(Locale.ROOT);
        }

        /** A resource that a CustomResourceDefinition defines; its list items are whole objects. */
        public Builder custom() {
            this.custom = true;
            return fullListItems();
        }

        public Builder listKind(String name) {
            this.listKind = name;
            return this;
        }

        /** @param revision which state of its definition the schema is of, unique over time */
        public Builder openApiSchema(Supplier<@Nullable ObjectNode> value, String revision) {
            this.openApiSchema = value;
            this.openApiRevision = revision;
            return this;
        }

        public Builder pruning(Function<ObjectNode, List<String>> value) {
            this.pruning = value;
            return this;
        }

        public Builder singular(String name) {
            this.singular = name;
            return this;
        }

        public Builder shortNames(String... names) {
            this.shortNames = List.of(names);
            return this;
        }

        public Builder categories(String... names) {
            this.categories = List.of(names);
            return this;
        }

        public Builder strategy(Strategy value) {
            this.strategy = value;
            return this;
        }

        public Builder hooks(Hooks value) {
            this.hooks = value;
            return this;
        }

        public Builder selectableFields(SelectableFields value) {
            this.selectableFields = value;
            return this;
        }

        /** The columns after the name; most tables end with {@link Column#AGE}. */
        public Builder columns(Column... afterName) {
            var all = new ArrayList<Column>();
            all.add(Column.NAME);
            all.addAll(List.of(afterName));
            this.columns = List.copyOf(all);
            return this;
        }

        /** All columns, for a table that does not begin with the name. */
        public Builder allColumns(Column... all) {
            this.columns = List.of(all);
            return this;
        }

        public Builder scale(ScalePaths value) {
            this.scale = value;
            return this;
        }

        public Builder schema(Supplier<@Nullable Schema> value) {
            this.schema = value;
            return this;
        }

        public Builder defaults(Consumer<ObjectNode> value) {
            this.defaults = value;
            return this;
        }

        public Builder nameRule(Function<String, List<String>> value) {
            this.nameRule = value;
            return this;
        }

        public Builder ttlSeconds(ToLongFunction<ObjectNode> value) {
            this.ttlSeconds = value;
            return this;
        }

        /** The version has no storage of its own. Its strategy is asked what is wrong with what clients send, no more. */
        public Builder storedAs(StoredVersion value) {
            this.storedAs = value;
            return this;
        }

        public Builder ownedFieldNames(OwnedFieldNames value) {
            this.ownedFieldNames = value;
            return this;
        }

        /** The version is one of several of a kind of which each has a registry Store over the same storage. */
        public Builder storedKind(@Nullable GroupVersionKind value) {
            this.storedKind = value;
            return this;
        }

        /** For managedFields of a kind whose fields are called otherwise in its other versions. */
        public Builder otherVersions(OtherVersions value) {
            this.otherVersions = value;
            return this;
        }

        /** Shows the table of the stored version, which {@link #storedAs} has been told. */
        public Builder columnsOfStored() {
            this.columns = Objects.requireNonNull(storedAs, "stored version")
                    .definition()
                    .columns();
            this.columnsOfStored = true;
            return this;
        }

        public Builder deprecation(String warning) {
            this.deprecation = warning;
            return this;
        }

        public Builder returnsDeletedObject() {
            this.returnsDeletedObject = true;
            return this;
        }

        /** For a kind whose objects may be large and are seldom read. */
        public Builder packedFrom(int bytes) {
            this.packedFrom = bytes;
            return this;
        }

        public Builder fullListItems() {
            this.bareListItems = false;
            return this;
        }

        public ResourceDefinition build() {
            return new ResourceDefinition(this);
        }
    }
}
