package io.keelson.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.storage.Versioner;

/** Shows objects that are not, or no longer, in storage as it would show them. Immutable. */
record Unstored(ObjectDecoder decoder) {
    /** @param revision 0 for an object that has never been in storage, which shows no version */
    ApiObject of(ObjectNode object, long revision) {
        ObjectNode copy = object.deepCopy();
        Versioner.INSTANCE.prepareForStorage(copy);
        return decoder.decode(Json.writeObject(copy), revision);
    }
}
