package io.keelson.testing;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.openqa.selenium.WindowType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/** A headless Chromium with a profile of its own. For use by one thread. */
public final class Browser implements AutoCloseable {

    private static final Duration SCRIPT_TIMEOUT = Duration.ofSeconds(20);

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** Starts the browser; profile is an empty folder. */
    public static Browser start(Path profile) {
        ChromeOptions options = new ChromeOptions();
        options.setBinary(TestTools.chromium().toFile());
        options.addArguments(
                "--headless",
                // The sandbox needs a user that is not root; the pages shown here are our own.
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1400,900",
                "--user-data-dir=" + profile);
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(TestTools.chromedriver().toFile())
                .usingAnyFreePort()
                .withSilent(true)
                .build();
        ChromeDriver driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(SCRIPT_TIMEOUT);
        return new Browser(driver);
    }

    public ChromeDriver driver() {
        return driver;
    }

    /** Opens the address in a tab of its own and gives the tab's handle. */
    public String openTab(String url) {
        driver.switchTo().newWindow(WindowType.TAB);
        driver.get(url);
        return driver.getWindowHandle();
    }

    public void switchTo(String tab) {
        driver.switchTo().window(tab);
    }

    /** Takes the network away from the present tab, or gives it back. */
    public void setOffline(boolean offline) {
        driver.executeCdpCommand("Network.enable", Map.of());
        driver.executeCdpCommand(
                "Network.emulateNetworkConditions",
                Map.of("offline", offline, "latency", 0, "downloadThroughput", -1, "uploadThroughput", -1));
    }

    @Override
    public void close() {
        driver.quit();
    }
}
