package io.keelson.resources.authorization;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import io.keelson.registry.RequestContext;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.resources.fields.Faults;
import io.keelson.resources.fields.Trees;
import java.util.function.BiConsumer;

/**
 * Serves POST of a kind whose objects are questions: the answer is the object with its status, and nothing is kept.
 * Immutable and thread-safe.
 */
final class ReviewRest implements RestStorage.Creater {
    private final ResourceDefinition definition;
    private final ObjectDecoder decoder = new ObjectDecoder(SelectableFields.NONE);
    private final BiConsumer<ObjectNode, Faults> answer;

    /** @param answer writes the status of a question, or tells what is wrong with it */
    ReviewRest(ResourceDefinition definition, BiConsumer<ObjectNode, Faults> answer) {
        this.definition = definition;
        this.answer = answer;
    }

    @Override
    public ResourceDefinition definition() {
        return definition;
    }

    @Override
    public ApiObject create(RequestContext context, String name, ObjectNode review) {
        var faults = new Faults();
        answer.accept(review, faults);
        if (!faults.none()) {
            throw ApiException.invalid(
                    definition.kind().group(),
                    definition.kind().kind(),
                    Trees.text(review, "metadata", "name"),
                    faults.list());
        }
        Trees.child(review, "metadata");
        return decoder.decode(Json.writeObject(review), 0);
    }
}
