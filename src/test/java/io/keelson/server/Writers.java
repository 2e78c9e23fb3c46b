package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keelson.testing.ApiClient;
import io.keelson.testing.ApiClient.Answer;
import io.keelson.testing.WatchClient.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * Clients that write without a pause, each creating and changing config maps of its own, and remember what the server has
 * acknowledged. A write that fails is not repeated: it may have happened or not.
 */
final class Writers implements AutoCloseable {
    /** How often an object is changed after it was created. */
    private static final int CHANGES = 3;

    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final String url;
    private final String path;
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentHashMap<String, Long> latest = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Acknowledged> acknowledged = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Answer> refused = new ConcurrentLinkedQueue<>();
    private final CountDownLatch stop = new CountDownLatch(1);

    private record Acknowledged(String name, long resourceVersion) {}

    private Writers(String url, String path) {
        this.url = url;
        this.path = path;
    }

    /**
     * Starts writers.
     *
     * @param path of the collection of config maps that they write to
     * @param prefix what their objects' names begin with
     */
    static Writers start(int count, String url, String path, String prefix) {
        var writers = new Writers(url, path);
        for (int i = 0; i < count; i++) {
            String own = prefix + i + "-";
            writers.threads.add(Thread.ofVirtual().start(() -> writers.run(own)));
        }
        return writers;
    }

    /** Waits until that many more writes have been acknowledged than are now. */
    void awaitMore(int writes) {
        int wanted = acknowledged.size() + writes;
        Awaitility.await(writes + " more acknowledged writes")
                .atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> acknowledged.size() >= wanted);
    }

    /** Waits until the server has answered a write with an error, and gives its answer. */
    Answer awaitRefusal() {
        Awaitility.await("a refused write")
                .atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> !refused.isEmpty());
        return refused.element();
    }

    /** All answers that were errors. */
    List<Answer> refusals() {
        return List.copyOf(refused);
    }

    /** Lets the writers end after the write that each is about, and waits for them. */
    Writers stop() {
        stop.countDown();
        try {
            for (Thread thread : threads) {
                assertThat(thread.join(TIMEOUT)).as("a writer ends").isTrue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted while writers end", e);
        }
        return this;
    }

    /** Every acknowledged object is in the list, at its last acknowledged revision or, where an unanswered write came after it, a later one. */
    void assertAllIn(Answer list) {
        Map<String, Long> present = new HashMap<>();
        for (JsonNode item : list.succeeded().json().at("/items")) {
            present.put(
                    item.at("/metadata/name").asText(),
                    item.at("/metadata/resourceVersion").asLong());
        }
        assertThat(latest).as("acknowledged writes").isNotEmpty();
        latest.forEach((name, revision) -> assertThat(present.getOrDefault(name, 0L))
                .as("the revision of " + name)
                .isGreaterThanOrEqualTo(revision));
    }

    /** Events, in the order of their arrival, hold every acknowledged write exactly once, and revisions only rise. */
    void assertEachOnceIn(List<Event> events) {
        assertThat(events).extracting(Event::resourceVersion).isSorted().doesNotHaveDuplicates();
        Map<Long, String> seen = new HashMap<>();
        events.forEach(event -> seen.put(event.resourceVersion(), event.name()));
        for (Acknowledged write : acknowledged) {
            assertThat(seen).as("events").containsEntry(write.resourceVersion(), write.name());
        }
    }

    @Override
    public void close() {
        stop.countDown();
        threads.forEach(Thread::interrupt);
    }

    private void run(String own) {
        try (ApiClient api = new ApiClient(url)) {
            for (int i = 0; running(); i++) {
                String name = own + i;
                boolean created = write(api, "POST", path, name, "created");
                for (int change = 0; created && change < CHANGES && running(); change++) {
                    created = write(api, "PUT", path + "/" + name, name, "changed-" + change);
                }
                if (!created) {
                    // A server that is away is asked again, but not in a busy loop.
                    stop.await(100, TimeUnit.MILLISECONDS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean running() {
        return stop.getCount() > 0;
    }

    private boolean write(ApiClient api, String method, String to, String name, String value) {
        Answer answer;
        try {
            byte[] body = ApiClient.bytes(ApiClient.configMap(name, value));
            answer = api.exchange(method, to, body, "Content-Type", "application/json");
        } catch (IOException e) {
            // No server, or none any more: nothing was acknowledged.
            return false;
        }
        if (answer.code() / 100 != 2) {
            refused.add(answer);
            return false;
        }
        long revision = Long.parseLong(answer.at("/metadata/resourceVersion"));
        latest.put(name, revision);
        acknowledged.add(new Acknowledged(name, revision));
        return true;
    }
}
