package io.keelson.apiextensions.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.StatusReason;
import io.keelson.storage.Versioner;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A version whose objects a {@link VersionConverter} has to make. Each state of an object is converted once for all who ask for
 * it, as long as it is remembered; those that are asked for together are converted together. Thread-safe.
 */
public final class ConvertedVersion implements VersionView {
    /** How many objects are converted together at most, and how many bytes of them. */
    private static final int MAX_OBJECTS = 1000;

    private static final int MAX_BYTES = 4 * 1024 * 1024;

    /** One state of one object. */
    private record State(String uid, long resourceVersion) {
        static State of(ApiObject object) {
            return new State(object.meta().uid(), object.resourceVersion());
        }
    }

    /** What this caller has to convert, for itself and for whoever waits for it. */
    private record Task(ApiObject stored, CompletableFuture<ApiObject> result) {}

    private final String apiVersion;
    private final String storedVersion;
    private final boolean alone;
    private final VersionConverter converter;
    private final ObjectDecoder decoder;
    private final Consumer<ObjectNode> pruned;
    private final Consumer<ObjectNode> prunedToStore;
    private final ConvertedObjects.Section remembered;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<State, CompletableFuture<ApiObject>> underWay = new HashMap<>();

    /**
     * @param alone whether all objects are stored in this very version
     * @param decoder of the objects in this version
     * @param pruned drops what the schema of this version does not have
     * @param prunedToStore the same for the schema of the stored version
     * @param remembered keeps what was converted
     */
    public ConvertedVersion(
            String apiVersion,
            String storedVersion,
            boolean alone,
            VersionConverter converter,
            ObjectDecoder decoder,
            Consumer<ObjectNode> pruned,
            Consumer<ObjectNode> prunedToStore,
            ConvertedObjects remembered) {
        this.apiVersion = apiVersion;
        this.storedVersion = storedVersion;
        this.alone = alone;
        this.converter = converter;
        this.decoder = decoder;
        this.pruned = pruned;
        this.prunedToStore = prunedToStore;
        this.remembered = remembered.section();
    }

    @Override
    public boolean selectsStored() {
        return alone;
    }

    @Override
    public @Nullable ApiObject servedNow(ApiObject stored) {
        if (stored.isOf(apiVersion)) {
            return stored;
        }
        return remembered.get(stored);
    }

    @Override
    public List<ApiObject> served(List<ApiObject> stored) {
        if (stored.stream().allMatch(object -> object.isOf(apiVersion))) {
            return stored;
        }
        var results = new ArrayList<CompletableFuture<ApiObject>>(stored.size());
        var own = new ArrayList<Task>();
        lock.lock();
        try {
            for (ApiObject object : stored) {
                results.add(object.isOf(apiVersion) ? CompletableFuture.completedFuture(object) : claim(object, own));
            }
        } finally {
            lock.unlock();
        }
        convert(own);
        var served = new ArrayList<ApiObject>(results.size());
        for (CompletableFuture<ApiObject> result : results) {
            served.add(get(result));
        }
        return served;
    }

    private static ApiObject get(CompletableFuture<ApiObject> result) {
        try {
            return result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ApiException failure) {
                // Of the one who asked first; the words are for all.
                throw new ApiException(failure.status());
            }
            throw e;
        }
    }

    @GuardedBy("lock")
    private CompletableFuture<ApiObject> claim(ApiObject object, List<Task> own) {
        State state = State.of(object);
        ApiObject known = remembered.get(object);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<ApiObject> running = underWay.get(state);
        if (running == null) {
            running = new CompletableFuture<>();
            underWay.put(state, running);
            own.add(new Task(object, running));
        }
        return running;
    }

    /** Carries out all tasks, be it that they fail: others may wait for them. */
    private void convert(List<Task> tasks) {
        int from = 0;
        while (from < tasks.size()) {
            int to = from;
            long bytes = 0;
            while (to < tasks.size() && to - from < MAX_OBJECTS && (to == from || bytes < MAX_BYTES)) {
                bytes += tasks.get(to).stored().json().length;
                to++;
            }
            try {
                convertTogether(tasks.subList(from, to));
            } catch (ApiException e) {
                fail(tasks.subList(from, tasks.size()), e);
                return;
            } catch (RuntimeException | Error e) {
                String why = "Internal error occurred: an object cannot be converted to " + apiVersion + ": "
                        + (e instanceof Error ? e : e.getMessage());
                fail(tasks.subList(from, tasks.size()), ApiException.of(StatusReason.INTERNAL_ERROR, why));
                return;
            }
            from = to;
        }
    }

    private void convertTogether(List<Task> tasks) {
        List<ObjectNode> converted = converter.convert(
                tasks.stream()
                        .map(task -> Json.parseTrusted(task.stored().json()))
                        .toList(),
                apiVersion);
        for (int i = 0; i < tasks.size(); i++) {
            Task task = tasks.get(i);
            ApiObject served =
                    decoder.decode(form(converted.get(i)), task.stored().resourceVersion());
            remember(task.stored(), served);
            task.result().complete(served);
        }
    }

    /** The bytes of what a converter gave, without a resourceVersion. */
    private byte[] form(ObjectNode converted) {
        pruned.accept(converted);
        Versioner.INSTANCE.prepareForStorage(converted);
        return Json.writeObject(converted);
    }

    private void fail(List<Task> tasks, ApiException why) {
        for (Task task : tasks) {
            lock.lock();
            try {
                underWay.remove(State.of(task.stored()));
            } finally {
                lock.unlock();
            }
            task.result().completeExceptionally(why);
        }
    }

    private void remember(ApiObject stored, ApiObject served) {
        lock.lock();
        try {
            underWay.remove(State.of(stored));
            remembered.put(stored, served);
        } finally {
            lock.unlock();
        }
    }

    /** Converts there and back, so that a converter that fails keeps a write from happening instead of hiding that it has. */
    @Override
    public Written written(ObjectNode served, @Nullable ApiObject existing) {
        if (apiVersion.equals(storedVersion)) {
            return new Written(served, this::served);
        }
        ObjectNode stored = converter.convert(List.of(served), storedVersion).getFirst();
        prunedToStore.accept(stored);
        Versioner.INSTANCE.prepareForStorage(stored);
        if (existing != null && stored.equals(withoutRevision(existing))) {
            // Nothing will be written, and what is there has just been shown to whoever asked for the change.
            return new Written(stored, this::served);
        }
        byte[] form = form(converter.convert(List.of(stored), apiVersion).getFirst());
        return new Written(stored, object -> {
            ApiObject shown = decoder.decode(form, object.resourceVersion());
            remember(object, shown);
            return shown;
        });
    }

    private static ObjectNode withoutRevision(ApiObject object) {
        ObjectNode tree = Json.parseTrusted(object.json());
        Versioner.INSTANCE.prepareForStorage(tree);
        return tree;
    }

    @Override
    public void forget() {
        remembered.clear();
    }
}
