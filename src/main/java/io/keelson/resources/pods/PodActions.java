package io.keelson.resources.pods;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.registry.RequestContext;
import io.keelson.registry.UpdateStrategy;
import io.keelson.resources.fields.Trees;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What bindings and evictions have in common. Stateless. */
final class PodActions {
    /** Updates that the server computes itself: they need no judgement, and nobody comes to own what they change. */
    static final UpdateStrategy AS_GIVEN = new UpdateStrategy() {
        @Override
        public boolean allowCreateOnUpdate() {
            return false;
        }

        @Override
        public void prepareForUpdate(RequestContext context, ObjectNode object, ObjectNode old) {}

        @Override
        public List<FieldError> validateUpdate(RequestContext context, ObjectNode object, ObjectNode old) {
            return List.of();
        }

        @Override
        public void canonicalize(ObjectNode object) {}

        @Override
        public boolean allowUnconditionalUpdate() {
            return true;
        }

        @Override
        public boolean tracksOwnership() {
            return false;
        }
    };

    private PodActions() {}

    /** The name of the pod that a posted object is about; its metadata may not contradict the path. */
    static String name(RequestContext context, String ofPath, ObjectNode posted) {
        String given = Trees.text(posted, "metadata", "name");
        String namespace = Trees.text(posted, "metadata", "namespace");
        if (!namespace.isEmpty() && !namespace.equals(context.namespace())) {
            throw ApiException.badRequest(
                    "the namespace of the provided object does not match the namespace sent on the request");
        }
        if (!ofPath.isEmpty() && !given.isEmpty() && !given.equals(ofPath)) {
            throw ApiException.badRequest(
                    "name in URL does not match name in " + Trees.text(posted, "kind") + " object");
        }
        String name = ofPath.isEmpty() ? given : ofPath;
        if (name.isEmpty()) {
            throw ApiException.badRequest("name must be provided");
        }
        return name;
    }

    /** Sets a condition of a pod's status to true, and returns it. */
    static ObjectNode setCondition(ObjectNode pod, String type, Instant now) {
        var conditions = Trees.list(Trees.child(pod, "status"), "conditions");
        ObjectNode condition = Trees.objects(conditions).stream()
                .filter(one -> Trees.text(one, "type").equals(type))
                .findFirst()
                .orElseGet(conditions::addObject);
        if (!Trees.text(condition, "status").equals("True")) {
            condition.put(
                    "lastTransitionTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
        }
        return condition.put("type", type).put("status", "True");
    }
}
