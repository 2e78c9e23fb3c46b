package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.ApiObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The contract of delete. */
public interface DeleteContract extends StorageContext {
    int RACES = 20;

    private ApiObject delete(Preconditions preconditions, Storage.ValidateDeletion validation, ApiObject suggestion) {
        return storage().delete(key("ns/a"), preconditions, validation, suggestion);
    }

    @Test
    default void aDeletionReturnsTheLastStateWithItsOwnRevision() {
        create("ns/a", "1");
        ApiObject last = set("ns/a", "2");
        ApiObject deleted = delete("ns/a");
        assertThat(deleted.resourceVersion())
                .isEqualTo(last.resourceVersion() + 1)
                .isEqualTo(storage().currentResourceVersion());
        assertThat(StorageContext.value(deleted)).isEqualTo("2");
        assertThatThrownBy(() -> storage().get(key("ns/a"), null)).isInstanceOf(StorageException.KeyNotFound.class);
        assertThatThrownBy(() -> delete("ns/a")).isInstanceOf(StorageException.KeyNotFound.class);
    }

    @Test
    default void preconditionsKeepTheObject() {
        ApiObject old = create("ns/a", "1");
        ApiObject current = set("ns/a", "2");
        for (Preconditions wrong :
                List.of(Preconditions.uid("other"), new Preconditions(null, old.resourceVersion()))) {
            for (ApiObject suggestion : new ApiObject[] {null, old, current}) {
                assertThatThrownBy(() -> delete(wrong, Storage.ValidateDeletion.NONE, suggestion))
                        .isInstanceOf(StorageException.InvalidObject.class);
            }
        }
        assertThat(storage().get(key("ns/a"), null).resourceVersion()).isEqualTo(current.resourceVersion());
        var right = new Preconditions(current.meta().uid(), current.resourceVersion());
        assertThat(StorageContext.value(delete(right, Storage.ValidateDeletion.NONE, old)))
                .isEqualTo("2");
    }

    @Test
    default void validationJudgesTheVeryStateThatIsDeleted() {
        ApiObject old = create("ns/a", "1");
        set("ns/a", "2");
        List<String> judged = new ArrayList<>();
        ApiObject deleted = delete(Preconditions.NONE, object -> judged.add(StorageContext.value(object)), old);
        assertThat(judged.getLast()).isEqualTo("2");
        assertThat(StorageContext.value(deleted)).isEqualTo("2");
    }

    @Test
    default void validationThatFailsOnTheStoredStateKeepsTheObject() {
        ApiObject old = create("ns/a", "1");
        set("ns/a", "2");
        assertThatThrownBy(() -> delete(
                        Preconditions.NONE,
                        object -> {
                            throw new IllegalStateException("kept " + StorageContext.value(object));
                        },
                        old))
                .hasMessage("kept 2");
        Storage.ValidateDeletion keepsOne = object -> {
            if (StorageContext.value(object).equals("1")) {
                throw new IllegalStateException("kept 1");
            }
        };
        assertThat(StorageContext.value(delete(Preconditions.NONE, keepsOne, old)))
                .isEqualTo("2");
    }

    @Test
    default void anUpdateBetweenValidationAndDeletionIsValidatedToo() {
        create("ns/a", "1");
        var calls = new AtomicInteger();
        List<String> judged = new ArrayList<>();
        ApiObject deleted = delete(
                Preconditions.NONE,
                object -> {
                    judged.add(StorageContext.value(object));
                    if (calls.getAndIncrement() == 0) {
                        set("ns/a", "2");
                    }
                },
                null);
        assertThat(judged).containsExactly("1", "2");
        assertThat(StorageContext.value(deleted)).isEqualTo("2");
    }

    @Test
    default void aSuggestionOfADeletedObjectDeletesNoOther() {
        ApiObject old = create("ns/a", "1");
        delete("ns/a");
        assertThatThrownBy(() -> delete(Preconditions.NONE, Storage.ValidateDeletion.NONE, old))
                .isInstanceOf(StorageException.KeyNotFound.class);
        create("ns/a", "again");
        ApiObject deleted = delete(Preconditions.NONE, Storage.ValidateDeletion.NONE, old);
        assertThat(StorageContext.value(deleted)).isEqualTo("again");
    }

    @Test
    default void ofRacingUpdatesAndDeletionsEachSeesTheOther() throws Exception {
        for (int race = 0; race < RACES; race++) {
            create("ns/a", "1");
            List<ApiObject> outcome = Concurrently.run(2, thread -> {
                try {
                    return thread == 0 ? set("ns/a", "2") : delete("ns/a");
                } catch (StorageException.KeyNotFound e) {
                    return null;
                }
            });
            ApiObject updated = outcome.getFirst();
            ApiObject deleted = outcome.getLast();
            assertThat(deleted).isNotNull();
            assertThat(StorageContext.value(deleted)).isEqualTo(updated == null ? "1" : "2");
            if (updated != null) {
                assertThat(deleted.resourceVersion()).isGreaterThan(updated.resourceVersion());
            }
        }
    }
}
