package io.keelson.registry;

import static io.keelson.registry.TestingRegistry.dryRun;
import static io.keelson.registry.TestingRegistry.in;
import static io.keelson.registry.TestingRegistry.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.Status;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.RestStorage.Deleted;
import io.keelson.storage.Preconditions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeletionTest {
    private final Widgets widgets = new Widgets();
    private TestingRegistry registry = new TestingRegistry(List.of(widgets.definition()), Admission.ALL);

    @AfterEach
    void close() {
        registry.close();
    }

    private ApiObject create(String metadata) {
        return registry.create("widgets", "n", "{'metadata':{'name':'w'" + metadata + "}}");
    }

    private Deleted delete(DeleteOptions options) {
        return registry.store("widgets").delete(in("n"), "w", options);
    }

    private Deleted delete() {
        return delete(DeleteOptions.NONE);
    }

    private static DeleteOptions grace(@Nullable Long seconds) {
        return new DeleteOptions(seconds, null, null, Preconditions.NONE);
    }

    private static DeleteOptions propagation(PropagationPolicy policy) {
        return new DeleteOptions(null, policy, null, Preconditions.NONE);
    }

    private static DeleteOptions provided(Preconditions preconditions) {
        return new DeleteOptions(null, null, null, preconditions);
    }

    private ObjectNode metadata() {
        return (ObjectNode) registry.read("widgets", "n", "w").get("metadata");
    }

    private static List<String> finalizers(JsonNode metadata) {
        return metadata.path("finalizers").valueStream().map(JsonNode::asText).toList();
    }

    private void setFinalizers(String... finalizers) {
        registry.update("widgets", "n", "w", widget -> {
            var list = ((ObjectNode) widget.get("metadata")).putArray("finalizers");
            List.of(finalizers).forEach(list::add);
        });
    }

    private boolean exists() {
        try {
            metadata();
            return true;
        } catch (ApiException e) {
            assertThat(e.status().code()).isEqualTo(404);
            return false;
        }
    }

    private static Status refusal(ThrowingCallable call) {
        var refused = new Status[1];
        assertThatExceptionOfType(ApiException.class).isThrownBy(call).satisfies(e -> refused[0] = e.status());
        return refused[0];
    }

    @Test
    void removesAnObjectThatNothingHolds() {
        ApiObject created = create("");
        widgets.calls.clear();
        Deleted deleted = delete();
        assertThat(deleted.deleted()).isTrue();
        assertThat(deleted.object().meta().uid()).isEqualTo(created.meta().uid());
        assertThat(deleted.object().resourceVersion()).isGreaterThan(created.resourceVersion());
        assertThat(exists()).isFalse();
        assertThat(widgets.calls).containsExactly("afterDelete w");
        assertThat(refusal(() -> delete()).code()).isEqualTo(404);
    }

    @Test
    void asksAdmissionFirst() {
        create("");
        var asked = new String[1];
        Admission admission = new Admission() {
            @Override
            public void admitCreate(RequestContext context, ResourceDefinition definition, ObjectNode object) {}

            @Override
            public void admitDelete(RequestContext context, ResourceDefinition definition, String name) {
                asked[0] = name;
                throw ApiException.badRequest("not this one");
            }
        };
        try (var guarded = new TestingRegistry(List.of(widgets.definition()), admission)) {
            guarded.create("widgets", "n", "{'metadata':{'name':'v'}}");
            assertThat(refusal(() -> guarded.delete("widgets", "n", "v")).code())
                    .isEqualTo(400);
            assertThat(guarded.read("widgets", "n", "v")).isNotNull();
        }
        assertThat(asked).containsExactly("v");
    }

    @Test
    void aDryRunChangesNothing() {
        ObjectNode created = tree(create(",'finalizers':['a.b/c']"));
        Deleted shown = registry.store("widgets").delete(dryRun("n"), "w", DeleteOptions.NONE);
        assertThat(shown.deleted()).isFalse();
        assertThat(shown.object().meta().beingDeleted()).isTrue();
        assertThat(registry.read("widgets", "n", "w")).isEqualTo(created);
    }

    @Nested
    class WithPreconditions {
        @Test
        void keepsWhatDoesNotMeetThem() {
            ApiObject created = create("");
            Status status = refusal(() -> delete(provided(Preconditions.uid("other"))));
            assertThat(status.code()).isEqualTo(409);
            assertThat(status.message())
                    .startsWith("Operation cannot be fulfilled on Widget \"w\": the UID in the precondition (other)");
            var stale = new Preconditions(created.meta().uid(), created.resourceVersion() - 1);
            assertThat(refusal(() -> delete(provided(stale))).code()).isEqualTo(409);
            assertThat(exists()).isTrue();
            var exact = new Preconditions(created.meta().uid(), created.resourceVersion());
            assertThat(delete(provided(exact)).deleted()).isTrue();
        }

        @Test
        void keepsWhatIsHeldAsItIs() {
            create(",'finalizers':['a.b/c']");
            assertThat(refusal(() -> delete(provided(Preconditions.uid("other"))))
                            .code())
                    .isEqualTo(409);
            assertThat(metadata().has("deletionTimestamp")).isFalse();
            delete();
            assertThat(refusal(() -> delete(provided(Preconditions.uid("other"))))
                            .code())
                    .isEqualTo(409);
        }
    }

    @Nested
    class WithFinalizers {
        @Test
        void marksTheObjectOnce() {
            create(",'finalizers':['a.b/c']");
            widgets.calls.clear();
            Deleted marked = delete();
            assertThat(marked.deleted()).isFalse();
            assertThat(metadata().path("deletionTimestamp").asText()).isEqualTo("2030-01-01T00:00:00Z");
            assertThat(metadata().path("deletionGracePeriodSeconds").asLong(-1)).isZero();
            assertThat(metadata().path("generation").asLong()).isEqualTo(2);
            assertThat(delete().object().resourceVersion())
                    .isEqualTo(marked.object().resourceVersion());
            assertThat(widgets.calls).isEmpty();
        }

        @Test
        void theUpdateThatTakesTheLastAwayEndsIt() {
            create(",'finalizers':['a.b/c','a.b/d']");
            delete();
            setFinalizers("a.b/d");
            assertThat(exists()).isTrue();
            widgets.calls.clear();
            setFinalizers();
            assertThat(exists()).isFalse();
            assertThat(widgets.calls).containsExactly("beginUpdate w", "afterDelete w", "finish false");
        }

        @Test
        void noneIsAddedToAnObjectOnItsWayOut() {
            create(",'finalizers':['a.b/c']");
            delete();
            Status status = refusal(() -> setFinalizers("a.b/c", "a.b/d"));
            assertThat(status.code()).isEqualTo(422);
            assertThat(status.message()).contains("no new finalizers can be added if the object is being deleted");
        }

        @Test
        void ofSeveralUpdatesThatReleaseItEachSucceeds() {
            create(",'finalizers':['a.b/c']");
            delete();
            var raced = new boolean[1];
            var released = registry.update("widgets", "n", "w", widget -> {
                if (!raced[0]) {
                    raced[0] = true;
                    setFinalizers();
                }
                ((ObjectNode) widget.get("metadata")).remove("finalizers");
            });
            assertThat(released.object().meta().finalizers()).isEmpty();
            assertThat(exists()).isFalse();
        }

        @Test
        void anotherWriteBetweenDoesNotFailTheRelease() {
            create(",'finalizers':['a.b/c']");
            delete();
            var raced = new boolean[1];
            registry.update("widgets", "n", "w", widget -> {
                if (!raced[0]) {
                    raced[0] = true;
                    registry.update(
                            "widgets",
                            "n",
                            "w",
                            other -> ((ObjectNode) other.get("metadata"))
                                    .putObject("labels")
                                    .put("a", "b"));
                }
                ((ObjectNode) widget.get("metadata")).remove("finalizers");
            });
            assertThat(exists()).isFalse();
        }

        /** The first decision is on what was read, the second on what the write that removes is about to find. */
        @ParameterizedTest
        @ValueSource(ints = {1, 2})
        void oneThatIsAddedAfterADecisionProtects(int decision) {
            create("");
            var decisions = new AtomicInteger();
            widgets.onDecision = () -> {
                if (decisions.incrementAndGet() == decision) {
                    setFinalizers("a.b/c");
                }
            };
            assertThat(delete().deleted()).isFalse();
            assertThat(decisions.get()).isGreaterThan(decision);
            assertThat(finalizers(metadata())).containsExactly("a.b/c");
            assertThat(metadata().has("deletionTimestamp")).isTrue();
        }

        @Test
        void oneThatIsTakenAwayAfterADecisionLetsTheObjectGo() {
            create(",'finalizers':['a.b/c']");
            var decisions = new AtomicInteger();
            widgets.onDecision = () -> {
                if (decisions.incrementAndGet() == 1) {
                    setFinalizers();
                }
            };
            assertThat(delete().deleted()).isTrue();
            assertThat(exists()).isFalse();
        }

        @Test
        void oneThatIsAddedWhileTheObjectGoesProtectsItOrIsRefused() throws Exception {
            try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int round = 0; round < 300; round++) {
                    create("");
                    var start = new CountDownLatch(1);
                    Future<Boolean> added = pool.submit(() -> {
                        start.await();
                        try {
                            setFinalizers("a.b/c");
                            return true;
                        } catch (ApiException e) {
                            assertThat(e.status().code()).isIn(404, 422);
                            return false;
                        }
                    });
                    Future<Boolean> removed = pool.submit(() -> {
                        start.await();
                        return delete().deleted();
                    });
                    start.countDown();
                    assertThat(added.get()).isNotEqualTo(removed.get());
                    assertThat(exists()).isEqualTo(added.get());
                    if (added.get()) {
                        assertThat(metadata().has("deletionTimestamp")).isTrue();
                        setFinalizers();
                    }
                    assertThat(exists()).isFalse();
                }
            }
        }
    }

    @Nested
    class WithPropagation {
        @Test
        void putsTheFinalizerThatStandsForIt() {
            create("");
            assertThat(delete(propagation(PropagationPolicy.ORPHAN)).deleted()).isFalse();
            assertThat(finalizers(metadata())).containsExactly("orphan");
            delete(propagation(PropagationPolicy.FOREGROUND));
            assertThat(finalizers(metadata())).containsExactly("foregroundDeletion");
            assertThat(delete(propagation(PropagationPolicy.BACKGROUND)).deleted())
                    .isTrue();
        }

        @Test
        void takesTheOlderForm() {
            create("");
            delete(new DeleteOptions(null, null, true, Preconditions.NONE));
            assertThat(finalizers(metadata())).containsExactly("orphan");
            assertThat(delete(new DeleteOptions(null, null, false, Preconditions.NONE))
                            .deleted())
                    .isTrue();
        }

        @Test
        void keepsOtherFinalizersAndTheOnesThatAreThere() {
            create(",'finalizers':['foregroundDeletion','a.b/c']");
            delete();
            assertThat(finalizers(metadata())).containsExactlyInAnyOrder("a.b/c", "foregroundDeletion");
            delete(propagation(PropagationPolicy.BACKGROUND));
            assertThat(finalizers(metadata())).containsExactly("a.b/c");
        }

        @Test
        void leavesTheRestToTheKind() {
            widgets.propagation = PropagationPolicy.ORPHAN;
            create("");
            delete();
            assertThat(finalizers(metadata())).containsExactly("orphan");
        }
    }

    @Nested
    class WithGrace {
        @Test
        void waitsThatLong() {
            widgets.grace = 30L;
            create("");
            Deleted waiting = delete();
            assertThat(waiting.deleted()).isFalse();
            assertThat(metadata().path("deletionTimestamp").asText()).isEqualTo("2030-01-01T00:00:30Z");
            assertThat(metadata().path("deletionGracePeriodSeconds").asLong()).isEqualTo(30);
            registry.update(
                    "widgets",
                    "n",
                    "w",
                    widget -> ((ObjectNode) widget.get("metadata"))
                            .putObject("labels")
                            .put("a", "b"));
            assertThat(exists()).isTrue();
        }

        @Test
        void mayOnlyGrowShorter() {
            widgets.grace = 30L;
            create("");
            delete();
            delete(grace(60L));
            assertThat(metadata().path("deletionGracePeriodSeconds").asLong()).isEqualTo(30);
            delete(grace(10L));
            assertThat(metadata().path("deletionGracePeriodSeconds").asLong()).isEqualTo(10);
            assertThat(metadata().path("deletionTimestamp").asText()).isEqualTo("2030-01-01T00:00:10Z");
            assertThat(metadata().path("generation").asLong()).isEqualTo(2);
            assertThat(delete(grace(0L)).deleted()).isTrue();
        }

        @Test
        void ofLessThanNothingIsASecond() {
            widgets.grace = 30L;
            create("");
            delete(grace(-5L));
            assertThat(metadata().path("deletionGracePeriodSeconds").asLong()).isEqualTo(1);
        }

        @Test
        void ofNothingRemovesAtOnce() {
            widgets.grace = 30L;
            create("");
            assertThat(delete(grace(0L)).deleted()).isTrue();
        }

        @Test
        void meansNothingToAKindWithoutIt() {
            create("");
            assertThat(delete(grace(30L)).deleted()).isTrue();
        }

        @Test
        void outlivesTheLastFinalizer() {
            widgets.grace = 30L;
            create(",'finalizers':['a.b/c']");
            delete();
            setFinalizers();
            assertThat(exists()).isTrue();
            assertThat(delete(grace(0L)).deleted()).isTrue();
        }
    }

    @Test
    void showsTheObjectAsItWentWhereTheKindAnswersWithIt() {
        registry.close();
        widgets.returnsDeleted = true;
        registry = new TestingRegistry(List.of(widgets.definition()), Admission.ALL);
        widgets.grace = 0L;
        create("");
        ApiObject shown = delete().object();
        assertThat(shown.meta().deletionTimestamp()).isEqualTo("2030-01-01T00:00:00Z");
        assertThat(shown.meta().deletionGracePeriodSeconds()).isZero();
    }
}
