package io.keelson.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Status;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.Purpose;
import io.keelson.registry.RestStorage;

/** POST to a collection: creates an object. */
final class CreateVerb {
    private final GetVerb output;

    CreateVerb(GetVerb output) {
        this.output = output;
    }

    void serve(Request request, RestStorage.Creater storage) {
        WriteOptions.check(request.query(), "CreateOptions", null);
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.OBJECT);
        ObjectNode object = Bodies.object(request);
        ApiObject created = storage.create(request.context(), request.info().name(), object);
        output.send(request, 201, answer, created);
    }

    void serve(Request request, RestStorage.Performer storage) {
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.OBJECT);
        storage.perform(request.context(), request.info().name(), Bodies.object(request));
        request.exchange().sendTree(201, answer.encoding(), Status.CREATED.toTree());
    }
}
