package io.keelson.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.BadJsonException;
import io.keelson.api.GroupVersionKind;
import io.keelson.api.Status;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.Purpose;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.schema.BuiltinSchemas;
import io.keelson.schema.Decoder;
import io.keelson.schema.MalformedObjectException;
import io.keelson.storage.ListOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** DELETE of an object, and of a collection. */
final class DeleteVerb {
    private static final GroupVersionKind OPTIONS = new GroupVersionKind("", "v1", "DeleteOptions");

    private final GetVerb output;
    private final ListVerb lists;
    private final RandomGenerator random;

    DeleteVerb(GetVerb output, ListVerb lists, RandomGenerator random) {
        this.output = output;
        this.lists = lists;
        this.random = random;
    }

    void serve(Request request, RestStorage.GracefulDeleter storage) {
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.OBJECT);
        JsonNode body = body(request);
        DeleteOptions options = RequestOptions.delete(body, request.query());
        RequestContext context = withDryRun(request, body);
        RestStorage.Deleted deleted = storage.delete(context, request.info().name(), options);
        ResourceDefinition definition = storage.definition();
        if (!deleted.deleted() || definition.returnsDeletedObject()) {
            boolean accepted = !deleted.deleted() && Boolean.FALSE.equals(options.orphanDependents());
            output.send(request, accepted ? 202 : 200, answer, deleted.object());
            return;
        }
        ApiObject object = deleted.object();
        var details = new Status.Details(
                object.meta().name(),
                definition.resource().group(),
                definition.plural(),
                object.meta().uid(),
                List.of(),
                0);
        request.exchange()
                .sendTree(200, answer.encoding(), Status.success(details).toTree());
    }

    void serveCollection(Request request, RestStorage.CollectionDeleter storage) {
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.LIST);
        JsonNode body = body(request);
        DeleteOptions options = RequestOptions.delete(body, request.query());
        ListOptions selection = RequestOptions.list(request.query(), false, random);
        lists.send(request, answer, storage.deleteCollection(withDryRun(request, body), options, selection));
    }

    private static @Nullable JsonNode body(Request request) {
        if (request.exchange().body().length == 0) {
            return null;
        }
        JsonNode tree;
        try {
            tree = request.exchange().parsedBody();
        } catch (BadJsonException e) {
            throw ApiException.badRequest("the body must be a " + OPTIONS.kind() + ": " + e.getMessage());
        }
        String kind = tree.path("kind").asText(OPTIONS.kind());
        if (!(tree instanceof ObjectNode options) || !kind.equals(OPTIONS.kind())) {
            throw ApiException.badRequest("the body must be a " + OPTIONS.kind() + ", not " + kind);
        }
        try {
            var _ = Decoder.decode(Objects.requireNonNull(BuiltinSchemas.of(OPTIONS)), options, List.of());
        } catch (MalformedObjectException e) {
            throw ApiException.badRequest(OPTIONS.kind() + " in version \"" + OPTIONS.version()
                    + "\" cannot be handled as a " + OPTIONS.kind() + ": " + e.getMessage());
        }
        return options;
    }

    private static RequestContext withDryRun(Request request, @Nullable JsonNode body) {
        var values = new ArrayList<String>();
        if (body != null) {
            body.path("dryRun").forEach(value -> values.add(value.asText()));
        }
        RequestContext context = request.context();
        boolean dryRun = context.dryRun() || RequestOptions.dryRun(values, OPTIONS.kind());
        return context.withDryRun(dryRun);
    }
}
