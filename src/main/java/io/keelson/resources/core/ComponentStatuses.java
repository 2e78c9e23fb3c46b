package io.keelson.resources.core;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.Labels;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.registry.BasicStrategy;
import io.keelson.registry.Column;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.resources.fields.Trees;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The deprecated list of what a cluster is made of, worked out for each request: here it is the store alone, under the name
 * that it has in Kubernetes. Thread-safe.
 */
public final class ComponentStatuses implements RestStorage.Getter, RestStorage.Lister {
    private static final String STORE = "etcd-0";
    private static final ObjectDecoder DECODER = new ObjectDecoder(SelectableFields.NONE);
    private static final ResourceDefinition DEFINITION = ResourceDefinition.of(
                    "", "v1", "ComponentStatus", "componentstatuses")
            .shortNames("cs")
            .deprecation("v1 ComponentStatus is deprecated in v1.19+")
            .strategy(new BasicStrategy())
            .columns(
                    Column.of("Status", "string", "Whether it works.", (one, now) -> cell(one, "status")),
                    Column.of("Message", "string", "What it says.", (one, now) -> cell(one, "message")),
                    Column.of("Error", "string", "What is wrong with it.", (one, now) -> cell(one, "error")))
            .build();

    private final Supplier<String> storeFault;

    /** @param storeFault what is wrong with the store, empty for nothing */
    public ComponentStatuses(Supplier<String> storeFault) {
        this.storeFault = storeFault;
    }

    private static String cell(ObjectNode component, String field) {
        ObjectNode condition =
                Trees.objects(component.path("conditions")).stream().findFirst().orElseGet(Json::object);
        String value = Trees.text(condition, field);
        return field.equals("status") ? value.equals("True") ? "Healthy" : "Unhealthy" : value;
    }

    @Override
    public ResourceDefinition definition() {
        return DEFINITION;
    }

    @Override
    public ApiObject get(RequestContext context, String name, @Nullable Long minimumRevision) {
        if (!name.equals(STORE)) {
            throw ApiException.notFound(DEFINITION.resource(), name);
        }
        return store();
    }

    @Override
    public ListResult list(RequestContext context, ListOptions options) {
        String name = options.predicate().fields().requiredValue("metadata.name");
        boolean shown = (name == null || name.equals(STORE))
                && options.predicate().labels().matches(Labels.NONE);
        return new ListResult(shown ? List.of(store()) : List.of(), 0, "", null);
    }

    private ApiObject store() {
        ObjectNode component = Json.object();
        component.put("apiVersion", "v1").put("kind", DEFINITION.kind().kind());
        component.putObject("metadata").put("name", STORE);
        String fault = storeFault.get();
        ObjectNode condition = component
                .putArray("conditions")
                .addObject()
                .put("type", "Healthy")
                .put("status", fault.isEmpty() ? "True" : "False")
                .put("message", fault.isEmpty() ? "ok" : "");
        if (!fault.isEmpty()) {
            condition.put("error", fault);
        }
        return DECODER.decode(Json.writeObject(component), 0);
    }
}
