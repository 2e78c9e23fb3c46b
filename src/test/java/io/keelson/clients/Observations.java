package io.keelson.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.awaitility.Awaitility;

/** What a client has reported about config maps, one line a change. A client may report from any thread. */
final class Observations {
    private final List<String> own = new CopyOnWriteArrayList<>();
    private final Supplier<List<String>> lines;
    private final Supplier<String> diagnosis;
    private final List<String> expected = new ArrayList<>();

    Observations() {
        this.lines = () -> own;
        this.diagnosis = () -> "";
    }

    /** Of a client that keeps its own book: all its lines so far, and what helps to understand a failure. */
    Observations(Supplier<List<String>> lines, Supplier<String> diagnosis) {
        this.lines = lines;
        this.diagnosis = diagnosis;
    }

    void add(String what, String name, String value) {
        own.add(what + " " + name + " " + value);
    }

    /**
     * Waits for these, in any order, as a client that lists again reports by name and not by time. Holds that with those
     * awaited before they are all that was reported, each once.
     */
    void awaitNext(String... next) {
        expected.addAll(List.of(next));
        Awaitility.await("what the client reports")
                .atMost(ClientFixture.TIMEOUT)
                .untilAsserted(() -> assertThat(lines.get()).as(diagnosis).containsAll(expected));
        assertThat(lines.get()).as(diagnosis).containsExactlyInAnyOrderElementsOf(expected);
    }
}
