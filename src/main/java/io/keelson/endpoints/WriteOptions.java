package io.keelson.endpoints;

import io.keelson.api.ApiException;
import io.keelson.api.FieldError;
import io.keelson.endpoints.output.PatchType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of a write that say who writes, and whether by force. Stateless. */
final class WriteOptions {
    /** The longest name of a field manager, in characters. */
    static final int MAX_FIELD_MANAGER = 128;

    private WriteOptions() {}

    /** Who writes: the field manager that the client names, else the first word of its User-Agent. */
    static String fieldManager(QueryParameters query, @Nullable String userAgent) {
        String given = query.text("fieldManager");
        if (!given.isEmpty()) {
            return given;
        }
        String agent = userAgent == null ? "" : userAgent.split("/", 2)[0];
        var name = new StringBuilder();
        agent.codePoints()
                .filter(WriteOptions::isPrintable)
                .limit(MAX_FIELD_MANAGER)
                .forEach(name::appendCodePoint);
        return name.isEmpty() ? "unknown" : name.toString();
    }

    /**
     * Checks the options of a write.
     *
     * @param kind of the options, such as {@code CreateOptions}
     * @param patch the type of a patch, null for another write
     */
    static void check(QueryParameters query, String kind, @Nullable PatchType patch) {
        var errors = new ArrayList<FieldError>();
        String manager = query.text("fieldManager");
        if (patch == PatchType.APPLY) {
            if (manager.isEmpty()) {
                errors.add(FieldError.required("fieldManager", "is required for apply patch"));
            }
        } else if (patch != null && query.flag("force") != null) {
            errors.add(FieldError.forbidden("force", "may not be specified for non-apply patch"));
        }
        checkFieldManager(manager, errors);
        if (!errors.isEmpty()) {
            throw ApiException.invalid(RequestOptions.META_GROUP, kind, "", errors);
        }
    }

    private static void checkFieldManager(String manager, List<FieldError> errors) {
        if (manager.length() > MAX_FIELD_MANAGER) {
            errors.add(FieldError.tooLong("fieldManager", MAX_FIELD_MANAGER));
        }
        int[] characters = manager.codePoints().toArray();
        for (int i = 0; i < characters.length; i++) {
            if (!isPrintable(characters[i])) {
                String rule = "invalid character U+%04X (at position %d)".formatted(characters[i], i);
                errors.add(FieldError.invalid("fieldManager", manager, rule));
            }
        }
    }

    /** Letters, marks, numbers, punctuation, symbols and the plain space, as Go's unicode.IsPrint has it. */
    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> false;
            case Character.SPACE_SEPARATOR -> character == ' ';
            default -> true;
        };
    }
}
