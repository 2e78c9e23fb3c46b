package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import java.util.List;
import java.util.function.UnaryOperator;
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

    /**
     * What a client writes in this version, before it is written: all that may fail fails here. May block.
     *
     * @param served may be changed
     * @param existing the present object as it is stored; null where there is none
     */
    Written written(ObjectNode served, @Nullable ApiObject existing);

    /**
     * What is to be stored, and what a client is shown of it.
     *
     * @param shown makes of the object that storage gives back the one that is shown
     */
    record Written(ObjectNode stored, UnaryOperator<ApiObject> shown) {}

    /** Lets go of what is remembered: this view is not asked any more. */
    default void forget() {}
}
