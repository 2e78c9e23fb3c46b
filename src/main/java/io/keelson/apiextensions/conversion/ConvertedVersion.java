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
import java.util.LinkedHashMap;
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
    /** How much is remembered, in bytes of objects. */
    private static final long MAX_REMEMBERED = 16L * 1024 * 1024;

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
    private final ReentrantLock lock = new ReentrantLock();

    /** In the order of their last use. */
    @GuardedBy("lock")
    private final LinkedHashMap<State, ApiObject> remembered = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("lock")
    private long rememberedBytes;

    @GuardedBy("lock")
    private final Map<State, CompletableFuture<ApiObject>> underWay = new HashMap<>();

    /**
     * @param alone whether all objects are stored in this very version
     * @param decoder of the objects in this version
     * @param pruned drops what the schema of this version does not have
     * @param prunedToStore the same for the schema of the stored version
     */
    public ConvertedVersion(
            String apiVersion,
            String storedVersion,
            boolean alone,
            VersionConverter converter,
            ObjectDecoder decoder,
            Consumer<ObjectNode> pruned,
            Consumer<ObjectNode> prunedToStore) {
        this.apiVersion = apiVersion;
        this.storedVersion = storedVersion;
        this.alone = alone;
        this.converter = converter;
        this.decoder = decoder;
        this.pruned = pruned;
        this.prunedToStore = prunedToStore;
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
        lock.lock();
        try {
            return remembered.get(State.of(stored));
        } finally {
            lock.unlock();
        }
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
        ApiObject known = remembered.get(state);
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
            ObjectNode tree = converted.get(i);
            pruned.accept(tree);
            Versioner.INSTANCE.prepareForStorage(tree);
            ApiObject served =
                    decoder.decode(Json.writeObject(tree), task.stored().resourceVersion());
            remember(State.of(task.stored()), served);
            task.result().complete(served);
        }
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

    private void remember(State state, ApiObject served) {
        lock.lock();
        try {
            underWay.remove(state);
            ApiObject before = remembered.put(state, served);
            rememberedBytes += served.json().length - (before == null ? 0 : before.json().length);
            var oldest = remembered.entrySet().iterator();
            while (rememberedBytes > MAX_REMEMBERED && oldest.hasNext()) {
                rememberedBytes -= oldest.next().getValue().json().length;
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public ObjectNode stored(ObjectNode served) {
        if (apiVersion.equals(storedVersion)) {
            return served;
        }
        ObjectNode stored = converter.convert(List.of(served), storedVersion).getFirst();
        prunedToStore.accept(stored);
        return stored;
    }
}
