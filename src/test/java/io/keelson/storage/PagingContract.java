package io.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The contract of lists that are cut into pages. */
public interface PagingContract extends StorageContext {
    private List<String> five() {
        List<String> paths = List.of("a/1", "a/2", "b/1", "b/2", "c/1");
        paths.forEach(path -> create(path, path));
        return paths;
    }

    private ListResult page(long limit, String token) {
        return list(ListOptions.LATEST.withPage(limit, token));
    }

    @Test
    default void pagesJoinToTheWholeList() {
        List<String> all = five();
        for (int limit = 1; limit <= 6; limit++) {
            List<String> joined = new ArrayList<>();
            String token = "";
            long revision = 0;
            do {
                ListResult page = page(limit, token);
                joined.addAll(StorageContext.paths(page));
                assertThat(page.items()).hasSizeBetween(1, limit);
                assertThat(revision == 0 ? page.resourceVersion() : revision).isEqualTo(page.resourceVersion());
                revision = page.resourceVersion();
                long left = all.size() - joined.size();
                assertThat(page.remainingItemCount()).isEqualTo(left == 0 ? null : Long.valueOf(left));
                token = page.continueToken();
            } while (!token.isEmpty());
            assertThat(joined).isEqualTo(all);
        }
    }

    @Test
    default void laterPagesShowTheRevisionOfTheFirst() {
        five();
        ListResult first = page(2, "");
        delete("b/1");
        create("b/11", "new");
        set("c/1", "changed");
        list(ListOptions.LATEST);
        ListResult rest = page(10, first.continueToken());
        assertThat(StorageContext.paths(rest)).containsExactly("b/1", "b/2", "c/1");
        assertThat(StorageContext.value(rest.items().getLast())).isEqualTo("c/1");
        assertThat(rest.resourceVersion()).isEqualTo(first.resourceVersion());
        assertThat(rest.continueToken()).isEmpty();
        assertThat(rest.remainingItemCount()).isNull();
    }

    @Test
    default void aLimitWithARevisionMeansExactlyThatRevision() {
        five();
        long revision = storage().currentResourceVersion();
        delete("a/1");
        list(ListOptions.LATEST);
        ListResult legacy =
                list(ListOptions.LATEST.withResourceVersion(revision).withPage(2, ""));
        assertThat(StorageContext.paths(legacy)).containsExactly("a/1", "a/2");
        assertThat(legacy.resourceVersion()).isEqualTo(revision);
        ListResult exact = list(StorageContext.exactly(revision).withPage(2, ""));
        assertThat(StorageContext.paths(exact)).containsExactly("a/1", "a/2");
        assertThat(exact.remainingItemCount()).isEqualTo(3);
        assertThat(StorageContext.paths(page(10, exact.continueToken()))).containsExactly("b/1", "b/2", "c/1");
        ListResult newer = list(StorageContext.atLeast(revision).withPage(2, ""));
        assertThat(newer.items()).hasSize(2);
        assertThat(newer.resourceVersion()).isGreaterThanOrEqualTo(revision);
    }

    @Test
    default void aLimitAtAnyRevisionCutsNoCachedList() {
        List<String> all = five();
        // Any state will do, so a cache may first answer one from before the objects came.
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            ListResult any = list(ListOptions.LATEST.withResourceVersion(0L).withPage(2, ""));
            assertThat(StorageContext.paths(any)).isEqualTo(cached() ? all : all.subList(0, 2));
            assertThat(any.continueToken().isEmpty()).isEqualTo(cached());
        });
    }

    @Test
    default void aLimitCountsMatchesOnly() {
        for (int i = 0; i < 40; i++) {
            create("ns/" + (100 + i), i % 4 == 0 ? "back" : "front", "1");
        }
        ListOptions back = ListOptions.LATEST.withPredicate(StorageContext.tier("back"));
        List<String> joined = new ArrayList<>();
        String token = "";
        do {
            ListResult page = list(back.withPage(3, token));
            assertThat(page.items()).hasSizeLessThanOrEqualTo(3);
            assertThat(page.remainingItemCount()).isNull();
            joined.addAll(StorageContext.paths(page));
            token = page.continueToken();
        } while (!token.isEmpty());
        assertThat(joined).hasSize(10).startsWith("ns/100", "ns/104").endsWith("ns/136");
    }

    @Test
    default void aCompactedPageGoesOnAtTheLatestRevision() {
        five();
        ListResult first = page(2, "");
        for (int i = 0; i < 150; i++) {
            set("a/1", "v" + i);
        }
        long last = create("b/3", "new").resourceVersion();
        compact(last);
        Storage other = impatientStorage();
        assertThatThrownBy(() -> other.getList(prefix(), ListOptions.LATEST.withPage(2, first.continueToken())))
                .isInstanceOfSatisfying(StorageException.Expired.class, e -> {
                    ListResult rest = other.getList(prefix(), ListOptions.LATEST.withPage(2, e.inconsistentContinue()));
                    assertThat(StorageContext.paths(rest)).containsExactly("b/1", "b/2");
                    assertThat(rest.resourceVersion()).isEqualTo(last);
                    ListResult end = other.getList(prefix(), ListOptions.LATEST.withPage(2, rest.continueToken()));
                    assertThat(StorageContext.paths(end)).containsExactly("b/3", "c/1");
                });
    }

    @Test
    default void aTokenHasTheFormThatKubernetesGivesIt() {
        five();
        ListResult first = page(2, "");
        String json = new String(Base64.getUrlDecoder().decode(first.continueToken()), StandardCharsets.UTF_8);
        assertThat(json)
                .isEqualTo(
                        "{\"v\":\"meta.k8s.io/v1\",\"rv\":" + first.resourceVersion() + ",\"start\":\"a/2\\u0000\"}");
        assertThat(StorageContext.paths(storage()
                        .getList(
                                key("a/"), ListOptions.LATEST.withPage(9, token(first.resourceVersion(), "1\\u0000")))))
                .containsExactly("a/2");
    }

    @Test
    default void aBadTokenIsRefused() {
        five();
        long now = storage().currentResourceVersion();
        for (String bad : List.of(
                "?",
                "abc",
                encode("{}"),
                encode("[]"),
                encode("{\"v\":\"v2\",\"rv\":1,\"start\":\"a\"}"),
                token(0, "a/1"),
                token(now, ""),
                token(now, "../secrets/a"),
                token(now, "a/../../b"),
                token(now, "/a"))) {
            assertThatThrownBy(() -> page(2, bad)).as(bad).isInstanceOf(StorageException.BadRequest.class);
        }
        String good = page(2, "").continueToken();
        assertThatThrownBy(
                        () -> list(ListOptions.LATEST.withResourceVersion(now).withPage(2, good)))
                .isInstanceOf(StorageException.BadRequest.class);
        assertThat(list(ListOptions.LATEST.withResourceVersion(0L).withPage(2, good))
                        .items())
                .hasSize(2);
    }

    private static String token(long revision, String start) {
        return encode("{\"v\":\"meta.k8s.io/v1\",\"rv\":" + revision + ",\"start\":\"" + start + "\"}");
    }

    private static String encode(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }
}
