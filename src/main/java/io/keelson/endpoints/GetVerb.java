package io.keelson.endpoints;

import io.keelson.api.ApiObject;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.IncludeObject;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.PartialMetadata;
import io.keelson.endpoints.output.Purpose;
import io.keelson.endpoints.output.TableEncoder;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import java.time.InstantSource;

/** GET of one object: its bytes as they are stored, unless the client asks for another form. */
final class GetVerb {
    private final InstantSource clock;

    GetVerb(InstantSource clock) {
        this.clock = clock;
    }

    void serve(Request request, RestStorage.Getter storage) {
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.OBJECT);
        Long minimum = RequestOptions.minimumRevision(request.query());
        ApiObject object = storage.get(request.context(), request.info().name(), minimum);
        send(request, 200, answer, object);
    }

    /** Sends an object in the form that was negotiated. */
    void send(Request request, int code, Answer answer, ApiObject object) {
        ResourceDefinition definition = request.storage().definition();
        byte[] bytes = switch (answer.form()) {
            case TABLE ->
                new TableEncoder(
                                definition,
                                answer.metaVersion(),
                                IncludeObject.parse(request.query().first("includeObject")))
                        .table(object, clock.instant());
            case PARTIAL_METADATA, PARTIAL_METADATA_LIST -> new PartialMetadata(answer.metaVersion()).object(object);
            case PLAIN -> object.json();
        };
        request.exchange().sendJson(code, answer.encoding(), bytes);
    }
}
