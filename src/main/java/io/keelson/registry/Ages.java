package io.keelson.registry;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Durations as tables show them: short, with at most two units ({@code 42s}, {@code 5m10s}, {@code 3d4h}). */
public final class Ages {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private Ages() {}

    /** The time from an RFC 3339 time stamp to now; {@code <unknown>} where there is none. */
    public static String since(String timestamp, Instant now) {
        try {
            return timestamp.isEmpty() ? "<unknown>" : human(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException e) {
            return "<invalid>";
        }
    }

    public static String human(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds <= 0) {
            return "0s";
        }
        if (seconds < 2 * MINUTE) {
            return seconds + "s";
        }
        if (seconds < 10 * MINUTE) {
            return two(seconds / MINUTE, "m", seconds % MINUTE, "s");
        }
        if (seconds < 3 * HOUR) {
            return seconds / MINUTE + "m";
        }
        if (seconds < 8 * HOUR) {
            return two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m");
        }
        if (seconds < 2 * DAY) {
            return seconds / HOUR + "h";
        }
        if (seconds < 8 * DAY) {
            return two(seconds / DAY, "d", seconds % DAY / HOUR, "h");
        }
        if (seconds < 2 * YEAR) {
            return seconds / DAY + "d";
        }
        if (seconds < 8 * YEAR) {
            return two(seconds / YEAR, "y", seconds % YEAR / DAY, "d");
        }
        return seconds / YEAR + "y";
    }

    private static String two(long first, String firstUnit, long second, String secondUnit) {
        return second == 0 ? first + firstUnit : first + firstUnit + second + secondUnit;
    }
}
