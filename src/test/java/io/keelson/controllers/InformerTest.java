package io.keelson.controllers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiObject;
import io.keelson.registry.Admission;
import io.keelson.registry.TestingRegistry;
import io.keelson.resources.core.ConfigMaps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

@ParameterizedClass
@ValueSource(booleans = {false, true})
class InformerTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Backoff QUICK = new Backoff(Duration.ofMillis(2), Duration.ofMillis(20));

    private final boolean cached;
    private final TestingRegistry registry;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicInteger failedDeletions = new AtomicInteger();

    private final Indexer indexer = new Indexer(Map.of("color", InformerTest::color), new Indexer.Handler() {
        @Override
        public void added(ApiObject object) {
            heard.add("+" + object.meta().name());
        }

        @Override
        public void updated(ApiObject old, ApiObject object) {
            heard.add((old.resourceVersion() == object.resourceVersion() ? "=" : "~")
                    + object.meta().name());
        }

        @Override
        public void deleted(ApiObject last) {
            if (failedDeletions.getAndDecrement() > 0) {
                throw new IllegalStateException("as the test wants it");
            }
            heard.add("-" + last.meta().name());
        }

        @Override
        public void settled() {
            if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("as the test wants it");
            }
            heard.add(".");
        }
    });

    private final Informer informer;

    InformerTest(boolean cached) {
        this.cached = cached;
        registry = new TestingRegistry(List.of(ConfigMaps.definition()), Admission.ALL, cached);
        informer = new Informer(registry.store("configmaps"), QUICK, TestingRegistry.CLOCK, indexer);
    }

    @AfterEach
    void stop() {
        informer.close();
        registry.close();
    }

    private static List<String> color(ApiObject object) {
        String color = object.meta().labels().get("color");
        return color == null ? List.of() : List.of(color);
    }

    private void make(String name, String color) {
        registry.create("configmaps", "x", "{'metadata':{'name':'" + name + "','labels':{'color':'" + color + "'}}}");
    }

    private void paint(String name, String color) {
        registry.update(
                "configmaps", "x", name, object -> ((ObjectNode) object.at("/metadata/labels")).put("color", color));
    }

    private void awaitHeard(String last) {
        await().atMost(PATIENCE)
                .until(() -> heard.contains(last) && heard.getLast().equals("."));
    }

    private List<String> colored(String color) {
        return indexer.byIndex("color", color).stream()
                .map(object -> object.meta().name())
                .toList();
    }

    @Test
    void tells_what_there_is_and_what_becomes_of_it() {
        make("a", "red");
        make("b", "blue");
        informer.start();
        await().atMost(PATIENCE).until(() -> informer.synced() && heard.contains("."));
        assertThat(heard).containsExactly("+a", "+b", ".");
        assertThat(colored("red")).containsExactly("a");

        paint("a", "blue");
        awaitHeard("~a");
        assertThat(colored("red")).isEmpty();
        assertThat(colored("blue")).containsExactly("a", "b");

        registry.delete("configmaps", "x", "b");
        awaitHeard("-b");
        assertThat(colored("blue")).containsExactly("a");
        assertThat(indexer.all()).extracting(object -> object.meta().name()).containsExactly("a");
    }

    @Test
    void refers_to_the_objects_of_the_cache() {
        make("a", "red");
        informer.start();
        await().atMost(PATIENCE).until(informer::synced);
        paint("a", "blue");
        awaitHeard("~a");
        ApiObject present = registry.store("configmaps").get(TestingRegistry.in("x"), "a", 0L);
        assertThat(indexer.all()).hasSize(1);
        ApiObject known = indexer.all().getFirst();
        assertThat(known.json()).isEqualTo(present.json());
        if (cached) {
            assertThat(known).isSameAs(present);
        }
    }

    @Test
    void tells_everything_anew_after_a_failure_and_what_went_meanwhile() {
        make("a", "red");
        make("b", "blue");
        failures.set(1);
        informer.start();
        awaitHeard("=a");
        assertThat(heard).containsExactly("+a", "+b", "=a", "=b", ".");
    }

    @Test
    void tells_again_of_a_deletion_that_was_not_taken() {
        make("a", "red");
        make("b", "red");
        informer.start();
        await().atMost(PATIENCE).until(informer::synced);
        failedDeletions.set(2);
        registry.delete("configmaps", "x", "b");
        awaitHeard("-b");
        assertThat(heard).filteredOn("-b"::equals).hasSize(1);
        assertThat(colored("red")).containsExactly("a");
    }

    @Test
    void follows_again_when_storage_can_be_reached() {
        registry.kv().failAfter(0, 5);
        informer.start();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            make("a", "red");
            return true;
        });
        awaitHeard("+a");
    }

    @Test
    void hears_no_more_once_it_is_closed() {
        make("a", "red");
        informer.start();
        awaitHeard("+a");
        informer.close();
        make("b", "red");
        assertThat(heard).containsExactly("+a", ".");
    }

    @Test
    void is_closed_before_it_is_started() {
        informer.close();
        assertThat(heard).isEmpty();
    }
}
