package io.keelson.resources.batch;

import java.time.DateTimeException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The grammar of cron schedules: five fields, or a name such as {@code @hourly}, or {@code @every} and a duration. */
final class CronSchedules {
    private static final List<String> NAMES =
            List.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final Pattern DURATION = Pattern.compile("@every ([0-9]+(\\.[0-9]+)?(ns|us|µs|ms|s|m|h))+");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");

    /**
     * One field's range.
     *
     * @param names that stand for the numbers from {@code min} on
     */
    private record Field(int min, int max, List<String> names) {}

    private static final List<Field> FIELDS = List.of(
            new Field(0, 59, List.of()),
            new Field(0, 23, List.of()),
            new Field(1, 31, List.of()),
            new Field(1, 12, MONTHS),
            new Field(0, 6, DAYS));

    private CronSchedules() {}

    /** What is wrong with a schedule, null where nothing is. */
    static @Nullable String fault(String schedule) {
        if (schedule.startsWith("@")) {
            return NAMES.contains(schedule) || DURATION.matcher(schedule).matches()
                    ? null
                    : "unrecognized descriptor: " + schedule;
        }
        String[] fields = SPACE.split(schedule.strip());
        if (fields.length != FIELDS.size()) {
            return "expected exactly 5 fields, found " + fields.length + ": [" + String.join(" ", fields) + "]";
        }
        for (int i = 0; i < fields.length; i++) {
            String fault = fault(fields[i], FIELDS.get(i));
            if (fault != null) {
                return fault;
            }
        }
        return null;
    }

    private static @Nullable String fault(String text, Field field) {
        try {
            for (String range : text.split(",", -1)) {
                checkRange(range, field);
            }
            return null;
        } catch (DateTimeException e) {
            return e.getMessage();
        }
    }

    private static void checkRange(String text, Field field) {
        String[] step = text.split("/", -1);
        if (step.length > 2) {
            throw new DateTimeException("too many slashes: " + text);
        }
        String[] bounds = step[0].split("-", -1);
        if (bounds.length > 2) {
            throw new DateTimeException("too many hyphens: " + text);
        }
        if (step.length == 2 && number(step[1], List.of(), 0) == 0) {
            throw new DateTimeException("step of range should be a positive number: " + text);
        }
        if (step[0].equals("*") || step[0].equals("?")) {
            return;
        }
        int from = number(bounds[0], field.names(), field.min());
        int to = number(bounds[bounds.length - 1], field.names(), field.min());
        if (from < field.min()) {
            throw new DateTimeException(
                    "beginning of range (" + from + ") below minimum (" + field.min() + "): " + text);
        }
        if (to > field.max()) {
            throw new DateTimeException("end of range (" + to + ") above maximum (" + field.max() + "): " + text);
        }
        if (from > to) {
            throw new DateTimeException("beginning of range (" + from + ") beyond end of range (" + to + "): " + text);
        }
    }

    private static int number(String text, List<String> names, int first) {
        int name = names.indexOf(text.toLowerCase(Locale.ROOT));
        if (name >= 0) {
            return first + name;
        }
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            throw new DateTimeException("failed to parse int from " + text, e);
        }
    }
}
