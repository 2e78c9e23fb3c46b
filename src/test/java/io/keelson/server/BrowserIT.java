package io.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.testing.Browser;
import io.keelson.testing.Kubectl;
import io.keelson.testing.ServerProcess;
import io.keelson.testing.WatchPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page at {@code /} in a real browser, over restarts of a real server. */
class BrowserIT {

    private static final String KEY = "configmaps/default/a";

    @TempDir
    private Path folder;

    private ServerProcess server;
    private Kubectl kubectl;
    private Browser browser;

    @BeforeEach
    void start() throws IOException {
        server = server(folder("data")).start();
        kubectl = new Kubectl(server.kubeconfig(), folder("home"));
        browser = Browser.start(folder("profile"));
    }

    /** The server to test, on the store to test it on; the folder is empty. */
    ServerProcess.Builder server(Path folder) {
        return ServerProcess.embedded(folder);
    }

    @AfterEach
    void stop() {
        if (browser != null) {
            browser.close();
        }
        if (server != null) {
            server.close();
        }
    }

    @Test
    void two_tabs_show_the_same_changes_and_heal_after_a_restart() {
        kubectl.call("create", "configmap", "a", "--from-literal=step=created");
        List<WatchPage> tabs = List.of(
                WatchPage.open(browser, server.url(), "configmaps"),
                WatchPage.open(browser, server.url(), "configmaps", "namespaces"));
        tabs.forEach(tab -> tab.awaitState("live"));
        allShow(tabs, resourceVersion());

        String changed = change("changed");
        allShow(tabs, changed);
        tabs.forEach(tab -> assertThat(tab.logged("MODIFIED", KEY)).containsExactly(changed));

        // Without a network the tabs can not come back before the change that they are to miss.
        tabs.forEach(tab -> tab.setOffline(true));
        assertThat(server.stop()).as("exit code after SIGTERM").isIn(0, 143);
        tabs.forEach(tab -> tab.awaitState("reconnecting"));
        server.restart();
        String missed = change("missed");
        tabs.forEach(tab -> tab.setOffline(false));
        tabs.forEach(tab -> tab.awaitState("live"));
        allShow(tabs, missed);

        String after = change("after");
        allShow(tabs, after);
        for (WatchPage tab : tabs) {
            assertThat(tab.logged("MODIFIED", KEY))
                    .as("each change once, the missed one resumed and not listed anew")
                    .containsExactly(after, missed, changed);
            assertThat(tab.errors()).isZero();
        }

        kubectl.call("delete", "configmap", "a");
        tabs.forEach(tab -> tab.awaitNoRow(KEY));
    }

    @Test
    void shows_where_it_stands_in_the_window_of_the_watch_cache() {
        WatchPage page = WatchPage.open(browser, server.url(), "configmaps");
        page.awaitState("live");
        kubectl.call("create", "configmap", "a");
        page.awaitRow(KEY, resourceVersion());
        page.awaitRing("configmaps", "place", "head");
        assertThat(page.ring("configmaps", "window")).isNotEmpty();
        assertThat(Long.parseLong(page.ring("configmaps", "seen")))
                .isGreaterThanOrEqualTo(Long.parseLong(resourceVersion()));
    }

    @Test
    void shows_objects_as_text_and_never_as_markup() {
        String markup = "<img src=x onerror=\"document.title='hit'\">";
        kubectl.call("create", "configmap", "a", "--from-literal=markup=" + markup);
        WatchPage page = WatchPage.open(browser, server.url(), "configmaps");
        page.awaitRow(KEY, resourceVersion());

        assertThat(page.showJson(KEY)).contains("<img src=x onerror=");
        assertThat(browser.driver().getTitle()).isEqualTo("Keelson");
    }

    private void allShow(List<WatchPage> tabs, String resourceVersion) {
        tabs.forEach(tab -> tab.awaitRow(KEY, resourceVersion));
    }

    private String change(String step) {
        kubectl.call("patch", "configmap", "a", "--type=merge", "-p", "{\"data\":{\"step\":\"" + step + "\"}}");
        return resourceVersion();
    }

    private String resourceVersion() {
        return kubectl.call("get", "configmap", "a", "-o", "jsonpath={.metadata.resourceVersion}")
                .trim();
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }
}
