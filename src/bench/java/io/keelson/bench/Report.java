package io.keelson.bench;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Prints a line for each measurement as it comes, as a table in Markdown. */
final class Report {
    private Report() {}

    static void begin() {
        System.out.println(
                "| work | per second | p50 ms | p99 ms | p99.9 ms | CPU µs/op: server | store | others on the"
                        + " machine | beside |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
    }

    static void line(String work, Meter.Figures figures, @Nullable Latencies latencies, String beside) {
        String times = latencies == null
                ? "| | "
                : text("%.2f | %.2f | %.2f", latencies.millis(.5), latencies.millis(.99), latencies.millis(.999));
        System.out.println(text(
                "| %s | %,.0f | %s | %,.1f | %s | %.0f %% | %s |",
                work,
                figures.perSecond(),
                times,
                figures.serverMicros(),
                figures.storeMicros() == 0 ? "" : text("%,.0f", figures.storeMicros()),
                100 * figures.noise(),
                beside));
    }

    /** Something that is no stream of operations: memory, a start. */
    static void fact(String work, String figures) {
        System.out.println("| " + work + " | | | | | | | | " + figures + " |");
    }

    static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
