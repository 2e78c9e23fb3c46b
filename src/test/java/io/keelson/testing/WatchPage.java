package io.keelson.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.openqa.selenium.By;

/** The server's page in one tab, as a person reads it. Each call turns to the tab first. For use by one thread. */
public final class WatchPage {

    /** Covers the browser's own pause before it reconnects and the page's longest back-off. */
    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private static final Duration INTERVAL = Duration.ofMillis(100);

    private final Browser browser;
    private final String tab;

    private WatchPage(Browser browser, String tab) {
        this.browser = browser;
        this.tab = tab;
    }

    /** Opens the page in a new tab with these resources chosen, named as kubectl names them. */
    public static WatchPage open(Browser browser, String serverUrl, String... resources) {
        String choice = "r=" + String.join("&r=", resources);
        return new WatchPage(browser, browser.openTab(serverUrl + "/#" + choice));
    }

    /** Connection state: idle, connecting, live or reconnecting. */
    public String state() {
        return script("return document.querySelector('[data-testid=state]').dataset.state");
    }

    /** Key and resourceVersion of each row in the order shown; fails where an object is shown twice. */
    public Map<String, String> rows() {
        List<List<String>> rows = script("return [...document.querySelectorAll('tr[data-key]')]"
                + ".map(row => [row.dataset.key, row.cells[3].textContent])");
        Map<String, String> byKey = new LinkedHashMap<>();
        rows.forEach(row -> byKey.put(row.getFirst(), row.getLast()));
        assertThat(rows).as("rows of the page, each object once").hasSameSizeAs(byKey.keySet());
        return byKey;
    }

    /** The resourceVersions in the log of events of one type, newest first. */
    public List<String> logged(String type, String key) {
        return script(
                "return [...document.querySelectorAll('[data-testid=log] li')]"
                        + ".filter(line => line.dataset.type === arguments[0] && line.dataset.key === arguments[1])"
                        + ".map(line => line.dataset.rv)",
                type,
                key);
    }

    /** How many errors the stream has reported. */
    public long errors() {
        return script("return document.querySelectorAll('[data-testid=log] li[data-type=ERROR]').length");
    }

    /** A value of the resource's watch cache window: oldest, newest, window, state, seen or place. */
    public String ring(String resource, String value) {
        return script(
                "return document.querySelector(`[data-testid=ring][data-resource=\"${arguments[0]}\"]`)"
                        + "?.dataset[arguments[1]] ?? ''",
                resource,
                value);
    }

    /** Clicks the object and gives the JSON that is then shown. */
    public String showJson(String key) {
        browser.switchTo(tab);
        browser.driver()
                .findElement(By.cssSelector("tr[data-key='" + key + "'] button"))
                .click();
        return browser.driver()
                .findElement(By.cssSelector("[data-testid=detail-json]"))
                .getText();
    }

    public void setOffline(boolean offline) {
        browser.switchTo(tab);
        browser.setOffline(offline);
    }

    public void awaitState(String state) {
        Awaitility.await("state " + state)
                .atMost(TIMEOUT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(state()).isEqualTo(state));
    }

    public void awaitRow(String key, String resourceVersion) {
        Awaitility.await(key + " at " + resourceVersion)
                .atMost(TIMEOUT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(rows()).containsEntry(key, resourceVersion));
    }

    public void awaitNoRow(String key) {
        Awaitility.await("no " + key)
                .atMost(TIMEOUT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(rows()).doesNotContainKey(key));
    }

    public void awaitRing(String resource, String value, String expected) {
        Awaitility.await("window of " + resource)
                .atMost(TIMEOUT)
                .pollInterval(INTERVAL)
                .untilAsserted(() -> assertThat(ring(resource, value)).isEqualTo(expected));
    }

    @SuppressWarnings("unchecked")
    private <T> T script(String source, Object... arguments) {
        browser.switchTo(tab);
        return (T) Objects.requireNonNull(browser.driver().executeScript(source, arguments));
    }
}
