package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.apiextensions.structural.FormCheck;
import io.keelson.apiextensions.structural.Pruning;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.storage.Versioner;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A version under the strategy {@code None}: objects are converted as bytes, by another apiVersion. A tree is made only of one that
 * may have what the schema of this version does not have. Immutable and thread-safe.
 */
public final class RenamedVersion implements VersionView {
    private final String apiVersion;
    private final String storedVersion;
    private final ObjectDecoder decoder;
    private final Supplier<StructuralSchema> schema;
    private final Consumer<ObjectNode> prunedToStore;

    /**
     * @param decoder of the objects in this version
     * @param schema of this version
     * @param prunedToStore drops what the schema of the stored version does not have
     */
    public RenamedVersion(
            String apiVersion,
            String storedVersion,
            ObjectDecoder decoder,
            Supplier<StructuralSchema> schema,
            Consumer<ObjectNode> prunedToStore) {
        this.apiVersion = apiVersion;
        this.storedVersion = storedVersion;
        this.decoder = decoder;
        this.schema = schema;
        this.prunedToStore = prunedToStore;
    }

    @Override
    public boolean selectsStored() {
        return true;
    }

    @Override
    public List<ApiObject> served(List<ApiObject> stored) {
        boolean all = stored.stream().allMatch(object -> object.isOf(apiVersion));
        return all ? stored : stored.stream().map(this::servedNow).toList();
    }

    @Override
    public ApiObject servedNow(ApiObject stored) {
        if (stored.isOf(apiVersion)) {
            return stored;
        }
        ApiObject renamed = stored.withApiVersion(apiVersion);
        return FormCheck.isPruned(schema.get(), renamed.json()) ? renamed : pruned(renamed);
    }

    private ApiObject pruned(ApiObject renamed) {
        ObjectNode tree = Json.parseTrusted(renamed.json());
        Pruning.prune(schema.get(), tree);
        Versioner.INSTANCE.prepareForStorage(tree);
        return decoder.decode(Json.writeObject(tree), renamed.resourceVersion());
    }

    @Override
    public Written written(ObjectNode served, @Nullable ApiObject existing) {
        if (!apiVersion.equals(storedVersion)) {
            served.put("apiVersion", storedVersion);
            prunedToStore.accept(served);
        }
        return new Written(served, this::servedNow);
    }
}
