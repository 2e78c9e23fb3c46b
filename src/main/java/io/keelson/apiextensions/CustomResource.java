package io.keelson.apiextensions;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.GroupResource;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.apiextensions.conversion.ConversionWebhook;
import io.keelson.apiextensions.conversion.ConvertedObjects;
import io.keelson.apiextensions.conversion.ConvertedVersion;
import io.keelson.apiextensions.conversion.RenamedVersion;
import io.keelson.apiextensions.conversion.VersionConverter;
import io.keelson.apiextensions.conversion.VersionView;
import io.keelson.apiextensions.structural.Defaulting;
import io.keelson.apiextensions.structural.Pruning;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.patch.apply.ObjectType;
import io.keelson.patch.apply.OtherVersions;
import io.keelson.registry.BasicStrategy.Trait;
import io.keelson.registry.Hooks;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.ScalePaths;
import io.keelson.resources.fields.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a CustomResourceDefinition has the server serve: the definitions of its versions, and how its objects are stored. The
 * definition itself is kept as bytes; a version's schema is compiled when it is needed, and kept while it is. Thread-safe.
 */
public final class CustomResource {
    private final ApiObject crd;
    private final String group;
    private final JsonNode names;
    private final boolean namespaced;
    private final String storageVersion;
    private final SequencedMap<String, VersionSchema> schemas = new LinkedHashMap<>();
    private final VersionConverter converter;

    /** Whether all objects are stored in the storage version, so that none has to be converted to it. */
    private final boolean oneStored;

    private final List<ResourceDefinition> served = new ArrayList<>();
    private final SelectableFields fields;
    private final @Nullable GroupVersionKind storedKind;
    private @Nullable ResourceDefinition stored;

    /** Whether the definition is on its way out, so that nothing new may come. */
    private volatile boolean terminating;

    private CustomResource(ObjectNode tree, ApiObject crd) {
        JsonNode spec = tree.path("spec");
        this.crd = crd;
        this.group = spec.path("group").asText();
        this.names = tree.path("status").path("acceptedNames");
        this.namespaced = spec.path("scope").asText().equals("Namespaced");
        String stored = "";
        boolean servesStored = false;
        var selectable = new LinkedHashMap<String, String>();
        for (JsonNode version : spec.path("versions")) {
            String name = version.path("name").asText();
            if (version.path("storage").asBoolean()) {
                stored = name;
                servesStored = version.path("served").asBoolean();
            }
            schemas.put(name, new VersionSchema(crd, name));
            selectable.putAll(selectable(version));
        }
        this.storageVersion = stored;
        JsonNode conversion = spec.path("conversion");
        this.converter = conversion.path("strategy").asText().equals("Webhook")
                ? new ConversionWebhook(conversion.path("webhook"))
                : VersionConverter.NONE;
        this.oneStored = Trees.texts(tree.path("status").path("storedVersions")).equals(List.of(stored));
        this.fields = SelectableFields.withDefaults(selectable);
        this.storedKind = servesStored
                ? new GroupVersionKind(group, stored, names.path("kind").asText())
                : null;
        for (JsonNode version : spec.path("versions")) {
            ResourceDefinition definition = definition(version);
            if (version.path("served").asBoolean()) {
                served.add(definition);
            }
            if (version.path("storage").asBoolean()) {
                this.stored = definition;
            }
        }
    }

    /**
     * @param tree the definition, with the names that it has been given in its status
     * @param crd the same as stored, from which schemas are read when they are needed
     */
    public static CustomResource of(ObjectNode tree, ApiObject crd) {
        return new CustomResource(tree, crd);
    }

    /** The definition of the version that objects are stored in, whether or not it is served. */
    public ResourceDefinition stored() {
        return Objects.requireNonNull(stored, "storage version");
    }

    /** Drops what was compiled of schemas that nobody has needed since the last call; it is made again when it is needed. */
    public void dropUnused() {
        schemas.values().forEach(VersionSchema::dropUnused);
    }

    /** Lets no new objects come any more. */
    public void terminate() {
        terminating = true;
    }

    /** Refuses new objects while the definition is on its way out. */
    private final class NoneWhileTerminating implements Hooks {
        @Override
        public Finish beginCreate(RequestContext context, ObjectNode object) {
            if (terminating) {
                throw ApiException.of(
                        StatusReason.METHOD_NOT_ALLOWED,
                        "create not allowed while custom resource definition is terminating",
                        Status.Details.of(
                                        new GroupResource(
                                                group, names.path("plural").asText()),
                                        "")
                                .withCauses(List.of()));
            }
            return Finish.NOTHING;
        }
    }

    /** The definitions of the versions that are served, in the order of the CustomResourceDefinition. */
    public List<ResourceDefinition> served() {
        return served;
    }

    /** Where the objects' keys begin below the storage prefix. */
    public String storagePath() {
        return group + "/" + names.path("plural").asText();
    }

    /**
     * Decodes stored objects of any version: they are seen in that version, pruned and with their defaults.
     *
     * @param fields whose values are read
     */
    public ObjectDecoder decoder(SelectableFields fields) {
        var forms = new LinkedHashMap<String, Supplier<StructuralSchema>>();
        forms.put(apiVersion(storageVersion), schema(storageVersion)::compiled);
        schemas.forEach((name, schema) -> forms.put(apiVersion(name), schema::compiled));
        return new ObjectDecoder(fields, new StoredForm(forms)::revise);
    }

    /** The fields that objects may be selected by in any of the versions. */
    public SelectableFields fields() {
        return fields;
    }

    /** Whether stored objects look as they do under another definition of the same resource. */
    public boolean decodesAs(CustomResource other) {
        return texts().equals(other.texts());
    }

    /** The texts of the schemas by the names of their versions. */
    private Map<String, JsonNode> texts() {
        var texts = new HashMap<String, JsonNode>();
        for (JsonNode version : Json.parseTrusted(crd.json()).path("spec").path("versions")) {
            texts.put(version.path("name").asText(), version.path("schema"));
        }
        return texts;
    }

    /** The definition as it is stored. */
    public ApiObject definition() {
        return crd;
    }

    /**
     * How one version shows the stored objects.
     *
     * @param fields whose values are read
     * @param remembered keeps what a webhook makes
     */
    public VersionView view(ResourceDefinition version, SelectableFields fields, ConvertedObjects remembered) {
        String apiVersion = version.kind().apiVersion();
        VersionSchema own = schema(version.kind().version());
        Consumer<ObjectNode> pruned = object -> Pruning.prune(own.compiled(), object);
        Consumer<ObjectNode> prunedToStore =
                object -> Pruning.prune(schema(storageVersion).compiled(), object);
        var decoder = new ObjectDecoder(fields);
        return converter.equals(VersionConverter.NONE)
                ? new RenamedVersion(apiVersion, apiVersion(storageVersion), decoder, own::compiled, prunedToStore)
                : new ConvertedVersion(
                        apiVersion,
                        apiVersion(storageVersion),
                        oneStored && version.kind().version().equals(storageVersion),
                        converter,
                        decoder,
                        pruned,
                        prunedToStore,
                        remembered);
    }

    private String apiVersion(String version) {
        return group + "/" + version;
    }

    private VersionSchema schema(String version) {
        return Objects.requireNonNull(schemas.get(version), version);
    }

    private ResourceDefinition definition(JsonNode version) {
        String name = version.path("name").asText();
        VersionSchema schema = schema(name);
        JsonNode subresources = version.path("subresources");
        JsonNode scale = subresources.path("scale");
        var traits = new ArrayList<Trait>(List.of(Trait.GENERATION));
        if (namespaced) {
            traits.add(Trait.NAMESPACED);
        }
        if (subresources.hasNonNull("status")) {
            traits.add(Trait.STATUS);
        }
        var strategy = new CustomResourceStrategy(
                schema::compiled,
                schema::rules,
                scale.isObject()
                        ? new CustomResourceStrategy.ScaleFields(
                                scale.path("specReplicasPath").asText(),
                                scale.path("statusReplicasPath").asText())
                        : null,
                traits.toArray(Trait[]::new));
        String kind = names.path("kind").asText();
        ResourceDefinition.Builder builder = ResourceDefinition.of(
                        group, name, kind, names.path("plural").asText())
                .singular(names.path("singular").asText())
                .listKind(names.path("listKind").asText(kind + "List"))
                .shortNames(texts(names.path("shortNames")))
                .categories(texts(names.path("categories")))
                .strategy(strategy)
                .hooks(new NoneWhileTerminating())
                .selectableFields(SelectableFields.withDefaults(selectable(version)))
                .columns(PrinterColumns.of(version))
                .schema(schema::compiled)
                .openApiSchema(schema::text, schema.revision())
                .pruning(object -> Pruning.prune(schema.compiled(), object))
                .defaults(object -> complete(schema.compiled(), object))
                .deprecation(deprecation(version, kind))
                .storedKind(storedKind)
                .otherVersions(otherVersions(name))
                .custom();
        if (scale.isObject()) {
            builder.scale(new ScalePaths(
                    dotless(scale.path("specReplicasPath").asText()),
                    dotless(scale.path("statusReplicasPath").asText()),
                    dotless(scale.path("labelSelectorPath").asText())));
        }
        return builder.build();
    }

    /** Under the strategy {@code None} fields are called the same in all versions. */
    private OtherVersions otherVersions(String version) {
        return converter.equals(VersionConverter.NONE)
                ? OtherVersions.NONE
                : apiVersion -> {
                    String name = apiVersion.startsWith(group + "/") ? apiVersion.substring(group.length() + 1) : "";
                    return name.equals(version) || !schemas.containsKey(name) ? null : new OtherVersion(name);
                };
    }

    /** A version as managedFields need it. */
    private final class OtherVersion implements OtherVersions.Version {
        private final String version;

        OtherVersion(String version) {
            this.version = version;
        }

        @Override
        public ObjectType type() {
            var kind = new GroupVersionKind(group, version, names.path("kind").asText());
            return new ObjectType(kind, schema(version).compiled(), false, otherVersions(version));
        }

        @Override
        public ObjectNode convert(ObjectNode object) {
            ObjectNode converted =
                    converter.convert(List.of(object), apiVersion(version)).getFirst();
            Pruning.prune(schema(version).compiled(), converted);
            return converted;
        }
    }

    private static void complete(StructuralSchema schema, ObjectNode object) {
        Pruning.prune(schema, object);
        Defaulting.apply(schema, object);
    }

    private static Map<String, String> selectable(JsonNode version) {
        var selectable = new LinkedHashMap<String, String>();
        for (JsonNode field : version.path("selectableFields")) {
            selectable.put(dotless(field.path("jsonPath").asText()), "");
        }
        return selectable;
    }

    private String deprecation(JsonNode version, String kind) {
        if (!version.path("deprecated").asBoolean()) {
            return "";
        }
        String given = version.path("deprecationWarning").asText();
        return given.isEmpty() ? apiVersion(version.path("name").asText()) + " " + kind + " is deprecated" : given;
    }

    private static String dotless(String path) {
        return path.startsWith(".") ? path.substring(1) : path;
    }

    private static String[] texts(JsonNode array) {
        var texts = new ArrayList<String>();
        array.forEach(text -> texts.add(text.asText()));
        return texts.toArray(String[]::new);
    }
}
