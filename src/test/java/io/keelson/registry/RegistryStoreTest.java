package io.keelson.registry;

import static io.keelson.registry.TestingRegistry.changing;
import static io.keelson.registry.TestingRegistry.dryRun;
import static io.keelson.registry.TestingRegistry.in;
import static io.keelson.registry.TestingRegistry.json;
import static io.keelson.registry.TestingRegistry.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.ApiObject;
import io.keelson.api.FieldSelector;
import io.keelson.api.LabelSelector;
import io.keelson.api.SelectableFields;
import io.keelson.api.Status;
import io.keelson.api.StatusCause;
import io.keelson.api.StatusReason;
import io.keelson.registry.RestStorage.DeleteOptions;
import io.keelson.registry.RestStorage.Updated;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import io.keelson.storage.SelectionPredicate;
import io.keelson.storage.StorageException;
import java.util.List;
import java.util.random.RandomGenerator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class RegistryStoreTest {
    private final Widgets widgets = new Widgets();
    private final TestingRegistry registry =
            new TestingRegistry(List.of(widgets.definition(), Widgets.gadgets()), Admission.ALL);
    private final RegistryStore store = registry.store("widgets");

    @AfterEach
    void close() {
        registry.close();
    }

    private ApiObject create(String object) {
        return registry.create("widgets", "n", object);
    }

    private ObjectNode widget(String object) {
        return registry.withKind("widgets", json(object));
    }

    private Updated put(String name, ObjectNode object) {
        return store.update(in("n"), name, existing -> object.deepCopy());
    }

    private static ObjectNode metadata(ObjectNode object) {
        return (ObjectNode) object.get("metadata");
    }

    private static Status refusal(ThrowingCallable call) {
        var refused = new Status[1];
        assertThatExceptionOfType(ApiException.class).isThrownBy(call).satisfies(e -> refused[0] = e.status());
        return refused[0];
    }

    private static List<String> fields(Status status) {
        return status.details().causes().stream().map(StatusCause::field).toList();
    }

    @Nested
    class Create {
        @Test
        void fillsWhatTheServerSets() {
            ObjectNode created = tree(create("{'metadata':{'name':'w','uid':'mine','creationTimestamp':'x',"
                    + "'deletionTimestamp':'x','generation':7,'selfLink':'/'},'status':{'a':1}}"));
            ObjectNode metadata = metadata(created);
            assertThat(metadata.path("uid").asText()).hasSize(36);
            assertThat(metadata.path("creationTimestamp").asText()).isEqualTo("2030-01-01T00:00:00Z");
            assertThat(metadata.path("namespace").asText()).isEqualTo("n");
            assertThat(metadata.path("generation").asLong()).isEqualTo(1);
            assertThat(metadata.has("deletionTimestamp")).isFalse();
            assertThat(metadata.has("selfLink")).isFalse();
            assertThat(created.path("status")).isEmpty();
            assertThat(created.path("spec").path("color").asText()).isEqualTo("grey");
            assertThat(registry.read("widgets", "n", "w")).isEqualTo(created);
        }

        @Test
        void runsTheHooksAroundASuccess() {
            create("{'metadata':{'name':'w'}}");
            assertThat(widgets.calls).containsExactly("beginCreate w", "afterCreate w", "finish true");
        }

        @Test
        void givesBackWhatAFailureReserved() {
            assertThat(refusal(() -> create("{'metadata':{'name':'w'},'spec':{'color':'none'}}"))
                            .code())
                    .isEqualTo(422);
            assertThat(widgets.calls).containsExactly("beginCreate w", "finish false");
        }

        @Test
        void refusesANameThatIsTaken() {
            create("{'metadata':{'name':'w'}}");
            Status status = refusal(() -> create("{'metadata':{'name':'w'}}"));
            assertThat(status.code()).isEqualTo(409);
            assertThat(status.reason()).isEqualTo(StatusReason.ALREADY_EXISTS);
            assertThat(status.message()).isEqualTo("widgets.test.io \"w\" already exists");
        }

        @Test
        void saysWhereTheNameIsOfAnObjectOnItsWayOut() {
            create("{'metadata':{'name':'w','finalizers':['a.b/c']}}");
            registry.delete("widgets", "n", "w");
            assertThat(refusal(() -> create("{'metadata':{'name':'w'}}")).message())
                    .isEqualTo("object is being deleted: widgets.test.io \"w\" already exists");
        }

        @Test
        void refusesAnotherNamespaceThanThePaths() {
            assertThat(refusal(() -> create("{'metadata':{'name':'w','namespace':'other'}}")))
                    .satisfies(status -> assertThat(status.code()).isEqualTo(400))
                    .satisfies(status -> assertThat(status.message())
                            .isEqualTo("the namespace of the provided object does not match the namespace sent on the"
                                    + " request"));
        }

        @Test
        void takesANamespaceOffWhatHasNone() {
            ApiObject gadget = registry.create("gadgets", "", "{'metadata':{'name':'g','namespace':'n'}}");
            assertThat(gadget.meta().namespace()).isEmpty();
        }

        @Test
        void refusesAResourceVersion() {
            assertThatExceptionOfType(StorageException.BadRequest.class)
                    .isThrownBy(() -> create("{'metadata':{'name':'w','resourceVersion':'7'}}"));
        }

        @Test
        void refusesTheMetadataThatBreaksRules() {
            Status status = refusal(() -> create("{'metadata':{'name':'W','labels':{'a b':'c'}}}"));
            assertThat(status.code()).isEqualTo(422);
            assertThat(fields(status)).containsExactly("metadata.name", "metadata.labels");
            assertThat(fields(refusal(() -> create("{'metadata':{}}")))).containsExactly("metadata.name");
            assertThat(refusal(() -> create("{'metadata':[]}")).code()).isEqualTo(400);
        }

        @Test
        void aDryRunWritesNothingButRefusesTheSame() {
            ApiObject object = store.create(dryRun("n"), "", widget("{'metadata':{'name':'w'}}"));
            assertThat(object.meta().uid()).hasSize(36);
            assertThat(refusal(() -> registry.read("widgets", "n", "w")).code()).isEqualTo(404);
            assertThat(widgets.calls).containsExactly("beginCreate w", "finish false");

            create("{'metadata':{'name':'w'}}");
            assertThat(refusal(() -> store.create(dryRun("n"), "", widget("{'metadata':{'name':'w'}}")))
                            .reason())
                    .isEqualTo(StatusReason.ALREADY_EXISTS);
        }

        @Test
        void asksAdmission() {
            Admission none = (context, definition, object) -> {
                throw ApiException.of(StatusReason.FORBIDDEN, "no");
            };
            try (var closed = new TestingRegistry(List.of(widgets.definition()), none)) {
                assertThat(refusal(() -> closed.create("widgets", "n", "{'metadata':{'name':'w'}}"))
                                .code())
                        .isEqualTo(403);
            }
            assertThat(widgets.calls).containsExactly("beginCreate w", "finish false");
        }
    }

    @Nested
    class GeneratedName {
        @Test
        void endsWithFiveLettersThatAreNew() {
            String one = create("{'metadata':{'generateName':'web-'}}").meta().name();
            String other = create("{'metadata':{'generateName':'web-'}}").meta().name();
            assertThat(one).matches("web-[a-z0-9]{5}").isNotEqualTo(other);
            assertThat(metadata(registry.read("widgets", "n", one))
                            .path("generateName")
                            .asText())
                    .isEqualTo("web-");
        }

        @Test
        void staysShortEnoughForALabel() {
            assertThat(create("{'metadata':{'generateName':'" + "a".repeat(80) + "'}}")
                            .meta()
                            .name())
                    .hasSize(63);
        }

        @Test
        void givesWayToAGivenName() {
            assertThat(create("{'metadata':{'generateName':'web-','name':'w'}}")
                            .meta()
                            .name())
                    .isEqualTo("w");
        }

        @Test
        void isTriedEightTimes() {
            RandomGenerator stuck = () -> 0;
            try (var clashing = new TestingRegistry(List.of(widgets.definition()), Admission.ALL, stuck)) {
                clashing.create("widgets", "n", "{'metadata':{'generateName':'w-'}}");
                widgets.calls.clear();
                Status status = refusal(() -> clashing.create("widgets", "n", "{'metadata':{'generateName':'w-'}}"));
                assertThat(status.code()).isEqualTo(409);
                assertThat(status.reason()).isEqualTo(StatusReason.ALREADY_EXISTS);
                assertThat(status.message())
                        .endsWith("the server was not able to generate a unique name for the object");
                assertThat(status.details().retryAfterSeconds()).isEqualTo(1);
                assertThat(widgets.calls).hasSize(16).endsWith("finish false");
            }
        }
    }

    @Nested
    class Update {
        @Test
        void countsTheGenerationOfDesiredStatesOnly() {
            create("{'metadata':{'name':'w'},'spec':{'color':'red'}}");
            assertThat(registry.update(
                                    "widgets",
                                    "n",
                                    "w",
                                    widget ->
                                            metadata(widget).putObject("labels").put("a", "b"))
                            .object()
                            .meta()
                            .generation())
                    .isEqualTo(1);
            assertThat(registry.update(
                                    "widgets",
                                    "n",
                                    "w",
                                    widget -> ((ObjectNode) widget.get("spec")).put("color", "blue"))
                            .object()
                            .meta()
                            .generation())
                    .isEqualTo(2);
        }

        @Test
        void thatChangesNothingKeepsTheVersion() {
            ApiObject created = create("{'metadata':{'name':'w'}}");
            Updated updated = put("w", tree(created));
            assertThat(updated.created()).isFalse();
            assertThat(updated.object().resourceVersion()).isEqualTo(created.resourceVersion());
        }

        @Test
        void cannotTouchTheStatus() {
            create("{'metadata':{'name':'w'}}");
            assertThat(tree(registry.update(
                                            "widgets",
                                            "n",
                                            "w",
                                            widget -> widget.putObject("status").put("a", 1))
                                    .object())
                            .path("status"))
                    .isEmpty();
        }

        @Test
        void keepsWhatTheServerSet() {
            ObjectNode created = tree(create("{'metadata':{'name':'w'}}"));
            ObjectNode bare = widget(
                    "{'metadata':{'name':'w','creationTimestamp':null,'generation':9}," + "'spec':{'color':'red'}}");
            ObjectNode metadata = metadata(tree(put("w", bare).object()));
            assertThat(metadata.path("uid")).isEqualTo(metadata(created).path("uid"));
            assertThat(metadata.path("creationTimestamp"))
                    .isEqualTo(metadata(created).path("creationTimestamp"));
            assertThat(metadata.path("generation").asLong()).isEqualTo(2);
        }

        @Test
        void refusesAnotherUidNameOrNamespace() {
            create("{'metadata':{'name':'w'}}");
            assertThat(fields(refusal(() -> put("w", widget("{'metadata':{'name':'w','uid':'other'}}")))))
                    .containsExactly("metadata.uid");
            assertThat(refusal(() -> put("w", widget("{'metadata':{'name':'v'}}")))
                            .code())
                    .isEqualTo(400);
            assertThat(refusal(() -> put("w", widget("{'metadata':{'name':'w','namespace':'m'}}")))
                            .code())
                    .isEqualTo(400);
        }

        @Test
        void ofAStaleVersionIsAConflict() {
            ObjectNode created = tree(create("{'metadata':{'name':'w'}}"));
            registry.update("widgets", "n", "w", widget -> metadata(widget).putObject("labels"));
            registry.update(
                    "widgets",
                    "n",
                    "w",
                    widget -> metadata(widget).putObject("labels").put("a", "b"));
            Status status = refusal(() -> put("w", created));
            assertThat(status.code()).isEqualTo(409);
            assertThat(status.reason()).isEqualTo(StatusReason.CONFLICT);
            assertThat(status.message())
                    .isEqualTo("Operation cannot be fulfilled on widgets.test.io \"w\": the object has been modified;"
                            + " please apply your changes to the latest version and try again");
        }

        @Test
        void withoutAVersionNeedsTheKindsConsent() {
            create("{'metadata':{'name':'w'}}");
            assertThat(tree(put("w", widget("{'metadata':{'name':'w'},'spec':{'color':'red'}}"))
                                    .object())
                            .path("spec")
                            .path("color")
                            .asText())
                    .isEqualTo("red");
            widgets.unconditional = false;
            Status status = refusal(() -> put("w", widget("{'metadata':{'name':'w'}}")));
            assertThat(status.code()).isEqualTo(422);
            assertThat(fields(status)).containsExactly("metadata.resourceVersion");
        }

        @Test
        void ofAnAbsentObjectCreatesOnlyWithTheKindsConsent() {
            ObjectNode object = widget("{'metadata':{'name':'w'}}");
            assertThat(refusal(() -> put("w", object)).code()).isEqualTo(404);
            widgets.createOnUpdate = true;
            ObjectNode versioned = object.deepCopy();
            metadata(versioned).put("resourceVersion", "7");
            assertThat(refusal(() -> put("w", versioned)).code()).isEqualTo(409);
            widgets.calls.clear();
            Updated updated = put("w", object);
            assertThat(updated.created()).isTrue();
            assertThat(updated.object().meta().uid()).hasSize(36);
            assertThat(widgets.calls).containsExactly("beginCreate w", "afterCreate w", "finish true");
        }

        @Test
        void runsTheHooks() {
            create("{'metadata':{'name':'w'}}");
            widgets.calls.clear();
            registry.update(
                    "widgets",
                    "n",
                    "w",
                    widget -> metadata(widget).putObject("labels").put("a", "b"));
            assertThat(widgets.calls).containsExactly("beginUpdate w", "afterUpdate w", "finish true");
        }

        @Test
        void aDryRunWritesNothing() {
            ApiObject created = create("{'metadata':{'name':'w'}}");
            widgets.calls.clear();
            ApiObject shown = store.update(
                            dryRun("n"), "w", changing(widget -> ((ObjectNode) widget.get("spec")).put("color", "red")))
                    .object();
            assertThat(tree(shown).path("spec").path("color").asText()).isEqualTo("red");
            assertThat(shown.resourceVersion()).isEqualTo(created.resourceVersion());
            assertThat(registry.read("widgets", "n", "w")).isEqualTo(tree(created));
            assertThat(widgets.calls).containsExactly("beginUpdate w", "finish false");
        }

        @Test
        void isMadeAnewOnWhatARaceLeft() {
            create("{'metadata':{'name':'w'}}");
            widgets.calls.clear();
            var raced = new boolean[1];
            registry.update("widgets", "n", "w", widget -> {
                if (!raced[0]) {
                    raced[0] = true;
                    registry.update(
                            "widgets",
                            "n",
                            "w",
                            other -> metadata(other).putObject("annotations").put("other", "1"));
                }
                ((ObjectNode) widget.get("spec")).put("color", "red");
            });
            ObjectNode both = registry.read("widgets", "n", "w");
            assertThat(both.path("spec").path("color").asText()).isEqualTo("red");
            assertThat(metadata(both).path("annotations").has("other")).isTrue();
            assertThat(widgets.calls)
                    .containsExactly(
                            "beginUpdate w",
                            "afterUpdate w",
                            "finish true",
                            "beginUpdate w",
                            "finish false",
                            "beginUpdate w",
                            "afterUpdate w",
                            "finish true");
        }
    }

    @Nested
    class Collections {
        private ListOptions selecting(String labels, String fields) {
            return ListOptions.LATEST.withPredicate(new SelectionPredicate(
                    LabelSelector.parse(labels), FieldSelector.parse(fields), SelectableFields.NONE));
        }

        private List<String> names(ListOptions options, String namespace) {
            return store.list(in(namespace), options).items().stream()
                    .map(object ->
                            object.meta().namespace() + "/" + object.meta().name())
                    .toList();
        }

        private void createSome() {
            create("{'metadata':{'name':'a','labels':{'app':'x'}},'spec':{'color':'red'}}");
            create("{'metadata':{'name':'b','labels':{'app':'y'}},'spec':{'color':'red'}}");
            create("{'metadata':{'name':'c','labels':{'app':'x'}},'spec':{'color':'blue'}}");
            registry.create("widgets", "m", "{'metadata':{'name':'a','labels':{'app':'x'}},'spec':{'color':'red'}}");
        }

        @Test
        void areListedByNamespaceAndSelectors() {
            createSome();
            assertThat(names(ListOptions.LATEST, "n")).containsExactly("n/a", "n/b", "n/c");
            assertThat(names(ListOptions.LATEST, "")).hasSize(4);
            assertThat(names(selecting("app=x", "spec.color=red"), "")).containsExactly("m/a", "n/a");
            assertThat(names(selecting("", "metadata.name=a"), "n")).containsExactly("n/a");
            assertThat(names(selecting("", "metadata.namespace=m"), "")).containsExactly("m/a");
            assertThat(refusal(() -> names(selecting("", "spec.size=1"), "n")).code())
                    .isEqualTo(400);
        }

        @Test
        void areDeletedBySelectors() {
            createSome();
            ListResult before = store.list(in("n"), ListOptions.LATEST);
            ListResult deleted =
                    store.deleteCollection(in("n"), DeleteOptions.NONE, selecting("app=x", "spec.color=red"));
            assertThat(deleted.items())
                    .singleElement()
                    .satisfies(object -> assertThat(tree(object))
                            .isEqualTo(tree(before.items().getFirst())));
            assertThat(deleted.resourceVersion()).isEqualTo(before.resourceVersion());
            assertThat(names(ListOptions.LATEST, "")).containsExactly("m/a", "n/b", "n/c");
        }

        @Test
        void areAListWithARevisionWhereNoneIsDeleted() {
            createSome();
            ListResult none = store.deleteCollection(in("n"), DeleteOptions.NONE, selecting("app=none", ""));
            assertThat(none.items()).isEmpty();
            assertThat(none.resourceVersion()).isPositive();
        }

        @Test
        void areDeletedByThePage() {
            createSome();
            assertThat(store.deleteCollection(in("n"), DeleteOptions.NONE, ListOptions.LATEST.withPage(2, ""))
                            .items())
                    .hasSize(2);
            assertThat(names(ListOptions.LATEST, "n")).containsExactly("n/c");
        }

        @Test
        void areOnlyShownByADryRun() {
            createSome();
            assertThat(store.deleteCollection(dryRun("n"), DeleteOptions.NONE, ListOptions.LATEST)
                            .items())
                    .hasSize(3);
            assertThat(names(ListOptions.LATEST, "n")).hasSize(3);
        }
    }

    @Nested
    class StatusSubresource {
        private final StatusRest status = new StatusRest(store);

        @Test
        void changesTheStatusOnly() {
            create("{'metadata':{'name':'w'},'spec':{'color':'red'}}");
            ObjectNode changed = tree(status.update(
                            in("n"),
                            "w",
                            existing -> widget("{'metadata':{'name':'w','labels':{'a':'b'}},'spec':{'color':'blue'},"
                                    + "'status':{'ready':true}}"))
                    .object());
            assertThat(changed.path("status").path("ready").asBoolean()).isTrue();
            assertThat(changed.path("spec").path("color").asText()).isEqualTo("red");
            assertThat(metadata(changed).has("labels")).isFalse();
            assertThat(metadata(changed).path("generation").asLong()).isEqualTo(1);
            assertThat(tree(status.get(in("n"), "w", null))).isEqualTo(changed);
        }

        @Test
        void takesTheStatusAwayWhereNoneIsGiven() {
            create("{'metadata':{'name':'w'}}");
            ObjectNode changed = tree(status.update(in("n"), "w", changing(widget -> widget.putNull("status")))
                    .object());
            assertThat(changed.has("status")).isFalse();
        }

        @Test
        void hasRulesAndVersions() {
            ObjectNode created = tree(create("{'metadata':{'name':'w'}}"));
            assertThat(fields(refusal(() -> status.update(
                            in("n"),
                            "w",
                            changing(widget -> widget.putObject("status").put("bad", 1))))))
                    .containsExactly("status.bad");
            status.update(
                    in("n"), "w", changing(widget -> widget.putObject("status").put("a", 1)));
            created.putObject("status").put("a", 2);
            assertThat(refusal(() -> status.update(in("n"), "w", existing -> created.deepCopy()))
                            .code())
                    .isEqualTo(409);
            assertThat(refusal(() -> status.update(in("n"), "none", existing -> widget("{'metadata':{}}")))
                            .code())
                    .isEqualTo(404);
        }
    }

    @Nested
    class ScaleSubresource {
        private final ScaleRest scales = new ScaleRest(store);

        private ObjectNode scale(String name) {
            return tree(scales.get(in("n"), name, null));
        }

        private ObjectNode scaleTo(String replicas) {
            return tree(scales.update(
                            in("n"),
                            "w",
                            existing -> json("{'metadata':{'name':'w'},'spec':{'replicas':" + replicas + "}}"))
                    .object());
        }

        @Test
        void showsReplicasAndSelector() {
            create("{'metadata':{'name':'w'},'spec':{'replicas':3,'selector':{'matchLabels':{'a':'b'}}}}");
            new StatusRest(store)
                    .update(
                            in("n"),
                            "w",
                            changing(widget -> widget.putObject("status").put("replicas", 2)));
            ObjectNode scale = scale("w");
            assertThat(scale.path("kind").asText()).isEqualTo("Scale");
            assertThat(scale.path("apiVersion").asText()).isEqualTo("autoscaling/v1");
            assertThat(scale.path("spec").path("replicas").asInt()).isEqualTo(3);
            assertThat(scale.path("status").path("replicas").asInt()).isEqualTo(2);
            assertThat(scale.path("status").path("selector").asText()).isEqualTo("a=b");
            assertThat(metadata(scale).path("resourceVersion"))
                    .isEqualTo(metadata(registry.read("widgets", "n", "w")).path("resourceVersion"));
        }

        @Test
        void setsTheReplicasAndNothingElse() {
            create("{'metadata':{'name':'w','labels':{'a':'b'}},'spec':{'color':'red','replicas':3}}");
            assertThat(scaleTo("5").path("spec").path("replicas").asInt()).isEqualTo(5);
            ObjectNode widget = registry.read("widgets", "n", "w");
            assertThat(widget.path("spec")).isEqualTo(json("{'color':'red','replicas':5}"));
            assertThat(metadata(widget).path("generation").asLong()).isEqualTo(2);
            assertThat(metadata(widget).path("labels")).isEqualTo(json("{'a':'b'}"));
            scaleTo("null");
            assertThat(registry.read("widgets", "n", "w")
                            .path("spec")
                            .path("replicas")
                            .asInt(-1))
                    .isZero();
        }

        @Test
        void hasRulesAndVersions() {
            create("{'metadata':{'name':'w'},'spec':{'replicas':3}}");
            ObjectNode old = scale("w");
            for (String bad : List.of("-1", "'x'", "1.5", "3000000000")) {
                assertThat(fields(refusal(() -> scaleTo(bad)))).containsExactly("spec.replicas");
            }
            scaleTo("4");
            assertThat(refusal(() -> scales.update(in("n"), "w", existing -> old.deepCopy()))
                            .code())
                    .isEqualTo(409);
            assertThat(refusal(() -> scale("none")).code()).isEqualTo(404);
        }
    }
}
