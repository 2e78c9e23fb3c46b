package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How one version shows the objects of a resource, whichever versions they are stored in. Thread-safe. */
public interface VersionView {
    /** Whether an object as it is stored can be judged by what a client selects in this version. */
    boolean selectsStored();

    /** The same objects in this version. May block. */
    List<ApiObject> served(List<ApiObject> stored);

    /** The same object in this version where that is known without waiting for anybody; null else. Never blocks. */
    @Nullable
    ApiObject servedNow(ApiObject stored);

    default ApiObject served(ApiObject stored) {
        ApiObject now = servedNow(stored);
        return now == null ? served(List.of(stored)).getFirst() : now;
    }

    /** What a client writes in this version as it is to be stored. May block. */
    ObjectNode stored(ObjectNode served);
}
