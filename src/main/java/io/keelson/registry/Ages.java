package io.keelson.registry;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;

/** Durations as tables show them: short, with at most two units ({@code 42s}, {@code 5m10s}, {@code 3d4h}). */
public final class Ages {
    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;
    private static final int COMMON_LENGTH = "2006-01-02T15:04:05Z".length();

    private Ages() {}

    /** The time from an RFC 3339 time stamp to now; {@code <unknown>} where there is none. */
    public static String since(String timestamp, Instant now) {
        try {
            return timestamp.isEmpty() ? "<unknown>" : human(Duration.between(parse(timestamp), now));
        } catch (DateTimeException e) {
            return "<invalid>";
        }
    }

    /**
     * Reads the form that the API itself writes, {@code 2006-01-02T15:04:05Z}, by hand: a table has one in each row, and a
     * formatter takes longer for it than the rest of the row does.
     */
    private static Instant parse(String timestamp) {
        int year = number(timestamp, 0, 4, '-');
        int month = number(timestamp, 5, 7, '-');
        int day = number(timestamp, 8, 10, 'T');
        int hour = number(timestamp, 11, 13, ':');
        int minute = number(timestamp, 14, 16, ':');
        int second = number(timestamp, 17, 19, 'Z');
        boolean common = timestamp.length() == COMMON_LENGTH && (year | month | day | hour | minute | second) >= 0;
        return common && hour < 24 && minute < 60 && second < 60
                ? Instant.ofEpochSecond(
                        LocalDate.of(year, month, day).toEpochDay() * DAY + hour * HOUR + minute * MINUTE + second)
                : Instant.parse(timestamp);
    }

    /** The number that stands from one place to before another, where a mark follows; -1 where that is not so. */
    private static int number(String text, int from, int to, char mark) {
        if (text.length() <= to || text.charAt(to) != mark) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < to; i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
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
