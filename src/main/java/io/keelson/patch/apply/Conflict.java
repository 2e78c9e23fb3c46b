package io.keelson.patch.apply;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusCause;
import io.keelson.api.StatusReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** The answer to an applier that would change what others own: 409, with each field and whose it is. Stateless. */
final class Conflict {
    private Conflict() {}

    /** @param conflicts the fields at stake, by their present managers */
    static ApiException of(SortedMap<Manager, ObjectNode> conflicts) {
        var causes = new ArrayList<StatusCause>();
        var lines = new ArrayList<String>();
        for (Map.Entry<Manager, ObjectNode> conflict : conflicts.entrySet()) {
            String manager = conflict.getKey().inWords();
            lines.add("conflicts with " + manager + ":");
            FieldSets.forEachPath(conflict.getValue(), path -> {
                causes.add(new StatusCause("FieldManagerConflict", "conflict with " + manager, path));
                lines.add("- " + path);
            });
        }
        return ApiException.of(StatusReason.CONFLICT, message(causes, lines), Status.Details.causes(causes));
    }

    private static String message(List<StatusCause> causes, List<String> lines) {
        if (causes.size() == 1) {
            StatusCause only = causes.getFirst();
            return "Apply failed with 1 conflict: " + only.message() + ": " + only.field();
        }
        return "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
    }
}
