package io.keelson.registry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldError;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.storage.Versioner;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The scale subresource: an {@code autoscaling/v1} Scale that shows, and sets, how many replicas an object has, whatever
 * its kind. Thread-safe.
 */
public final class ScaleRest implements RestStorage.Getter, RestStorage.Updater, RestStorage.Applier {
    private static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");
    private static final ObjectDecoder DECODER = new ObjectDecoder(SelectableFields.NONE);

    /** The rules of the object itself, for writes that go to its scale. */
    private record ScaleStrategy(UpdateStrategy object) implements UpdateStrategy {
        @Override
        public boolean allowCreateOnUpdate() {
            return false;
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode node, ObjectNode old) {
            object.prepareForUpdate(context, node, old);
        }

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode node, ObjectNode old) {
            return object.validateUpdate(context, node, old);
        }

        @Override
        public void canonicalize(ObjectNode node) {
            object.canonicalize(node);
        }

        @Override
        public boolean allowUnconditionalUpdate() {
            return object.allowUnconditionalUpdate();
        }

        @Override
        public String subresource() {
            return "scale";
        }
    }

    private final RegistryStore store;
    private final ScalePaths paths;
    private final UpdateStrategy strategy;

    /** @param store of a resource whose definition has scale paths */
    public ScaleRest(RegistryStore store) {
        this.store = store;
        this.paths = Objects.requireNonNull(store.definition().scale(), "scale paths");
        this.strategy = new ScaleStrategy(store.definition().strategy());
    }

    @Override
    public ResourceDefinition definition() {
        return store.definition();
    }

    @Override
    public GroupVersionKind kind() {
        return SCALE;
    }

    @Override
    public ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision) {
        return encode(scaleOf(store.get(context, name, minimumRevision)));
    }

    @Override
    public Updated update(RequestContext context, String name, UpdatedObject updated) {
        UpdatedObject scaled = existing -> {
            if (existing == null) {
                throw ApiException.notFound(definition().resource(), name);
            }
            ObjectNode scale = updated.apply(scaleOf(existing));
            check(scale, name);
            JsonNode replicas = scale.path("spec").path("replicas");
            put(existing, paths.specReplicas(), isUnset(replicas) ? existing.numberNode(0) : replicas);
            ObjectNode metadata = (ObjectNode) Objects.requireNonNull(existing.get("metadata"));
            String version = scale.path("metadata").path("resourceVersion").asText();
            metadata.put("resourceVersion", version);
            return existing;
        };
        Updated result = store.update(context, name, scaled, strategy);
        return new Updated(encode(scaleOf(result.object())), false);
    }

    /** Applies the number of replicas to the object itself, where the manager comes to own it. */
    @Override
    public Updated apply(RequestContext context, String name, AppliedConfiguration applied) {
        ObjectNode scale = applied.object();
        check(scale, name);
        ObjectNode object = Json.object();
        object.put("apiVersion", definition().kind().apiVersion());
        object.put("kind", definition().kind().kind());
        if (scale.has("metadata")) {
            object.set("metadata", scale.get("metadata"));
        }
        JsonNode replicas = scale.path("spec").path("replicas");
        if (!isUnset(replicas)) {
            put(object, paths.specReplicas(), replicas);
        }
        var configuration = new AppliedConfiguration(object, applied.force());
        Updated result = store.apply(context, name, configuration, strategy);
        return new Updated(encode(scaleOf(result.object())), false);
    }

    private static void check(ObjectNode scale, String name) {
        JsonNode replicas = scale.path("spec").path("replicas");
        var errors = new ArrayList<FieldError>();
        if (!isUnset(replicas) && !(replicas.isIntegralNumber() && replicas.canConvertToInt())) {
            errors.add(FieldError.typeInvalid("spec.replicas", replicas, "must be an integer of 32 bits"));
        } else if (replicas.asLong() < 0) {
            errors.add(FieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"));
        }
        String given = scale.path("metadata").path("name").asText();
        if (!given.isEmpty() && !given.equals(name)) {
            throw ApiException.badRequest(
                    "the name of the object (" + given + ") does not match the name on the URL (" + name + ")");
        }
        if (!errors.isEmpty()) {
            throw ApiException.invalid("autoscaling", "Scale", name, errors);
        }
    }

    private static boolean isUnset(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }

    private ObjectNode scaleOf(ApiObject object) {
        return scaleOf(Json.parseTrusted(object.json()));
    }

    private ObjectNode scaleOf(ObjectNode object) {
        ObjectNode scale = Json.object();
        scale.put("apiVersion", SCALE.apiVersion()).put("kind", SCALE.kind());
        ObjectNode metadata = scale.putObject("metadata");
        for (String field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
            JsonNode value = object.path("metadata").get(field);
            if (value != null) {
                metadata.set(field, value);
            }
        }
        JsonNode replicas = at(object, paths.specReplicas());
        ObjectNode spec = scale.putObject("spec");
        if (replicas.asLong() != 0) {
            spec.set("replicas", replicas);
        }
        ObjectNode status = scale.putObject("status");
        status.put("replicas", at(object, paths.statusReplicas()).asLong());
        String selector = selectorText(paths.selector().isEmpty() ? spec.missingNode() : at(object, paths.selector()));
        if (!selector.isEmpty()) {
            status.put("selector", selector);
        }
        return scale;
    }

    private static ApiObject encode(ObjectNode scale) {
        long revision = Versioner.INSTANCE.resourceVersion(scale);
        Versioner.INSTANCE.prepareForStorage(scale);
        return DECODER.decode(Json.writeObject(scale), revision);
    }

    /** A selector in the form of a list parameter, from a text, a label map or a LabelSelector object. */
    private static String selectorText(JsonNode selector) {
        if (selector.isTextual()) {
            return selector.textValue();
        }
        boolean object = selector.has("matchLabels") || selector.has("matchExpressions");
        var parts = new TreeMap<String, String>();
        for (var label : (object ? selector.path("matchLabels") : selector).properties()) {
            parts.put(label.getKey(), label.getKey() + "=" + label.getValue().asText());
        }
        for (JsonNode expression : selector.path("matchExpressions")) {
            String key = expression.path("key").asText();
            var values = new ArrayList<String>();
            expression.path("values").forEach(value -> values.add(value.asText()));
            values.sort(null);
            String list = " (" + String.join(",", values) + ")";
            parts.merge(
                    key,
                    switch (expression.path("operator").asText()) {
                        case "In" -> key + " in" + list;
                        case "NotIn" -> key + " notin" + list;
                        case "Exists" -> key;
                        default -> "!" + key;
                    },
                    (one, other) -> one + "," + other);
        }
        return String.join(",", parts.values());
    }

    private static JsonNode at(JsonNode object, String path) {
        JsonNode node = object;
        for (String step : path.split("\\.", -1)) {
            node = node.path(step);
        }
        return node;
    }

    private static void put(ObjectNode object, String path, JsonNode value) {
        String[] steps = path.split("\\.", -1);
        ObjectNode parent = object;
        for (int i = 0; i < steps.length - 1; i++) {
            parent = parent.get(steps[i]) instanceof ObjectNode child ? child : parent.putObject(steps[i]);
        }
        parent.set(steps[steps.length - 1], value);
    }
}
