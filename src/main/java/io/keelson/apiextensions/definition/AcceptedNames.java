package io.keelson.apiextensions.definition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.registry.ResourceDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which names of a group are taken, and what becomes of the names that a CustomResourceDefinition asks for: each that is free,
 * or its own already, is accepted; the others are told in its conditions. Not thread-safe.
 */
public final class AcceptedNames {
    private final Set<String> resources = new HashSet<>();
    private final Set<String> kinds = new HashSet<>();

    /** Counts the names of a built-in resource of the group as taken. */
    public void take(ResourceDefinition builtin) {
        resources.add(builtin.plural());
        resources.add(builtin.singular());
        resources.addAll(builtin.shortNames());
        kinds.add(builtin.kind().kind());
        kinds.add(builtin.listKind());
    }

    /** Counts the names that another CustomResourceDefinition of the group has been given as taken. */
    public void take(JsonNode crd) {
        JsonNode names = crd.path("status").path("acceptedNames");
        for (String name : List.of("plural", "singular")) {
            add(resources, names.path(name).asText());
        }
        names.path("shortNames").forEach(name -> add(resources, name.asText()));
        add(kinds, names.path("kind").asText());
        add(kinds, names.path("listKind").asText());
    }

    private static void add(Set<String> to, String name) {
        if (!name.isEmpty()) {
            to.add(name);
        }
    }

    /** Writes into a definition's status which names it has, and whether it may be served. */
    public void settle(ObjectNode crd, Instant now) {
        JsonNode wanted = crd.path("spec").path("names");
        ObjectNode status = crd.get("status") instanceof ObjectNode there ? there : crd.putObject("status");
        ObjectNode names =
                status.get("acceptedNames") instanceof ObjectNode there ? there : status.putObject("acceptedNames");
        var conflicts = new ArrayList<String[]>();
        name(wanted, names, "plural", "PluralConflict", resources, conflicts);
        name(wanted, names, "singular", "SingularConflict", resources, conflicts);
        shortNames(wanted, names, conflicts);
        name(wanted, names, "kind", "KindConflict", kinds, conflicts);
        name(wanted, names, "listKind", "ListKindConflict", kinds, conflicts);
        copy(wanted, names, "categories");
        if (conflicts.isEmpty()) {
            Conditions.set(crd, Conditions.NAMES_ACCEPTED, true, "NoConflicts", "no conflicts found", now);
        } else {
            String[] last = conflicts.getLast();
            Conditions.set(crd, Conditions.NAMES_ACCEPTED, false, last[0], last[1], now);
        }
        if (Conditions.isTrue(crd, Conditions.ESTABLISHED)) {
            return;
        }
        if (conflicts.isEmpty()) {
            Conditions.set(
                    crd,
                    Conditions.ESTABLISHED,
                    true,
                    "InitialNamesAccepted",
                    "the initial names have been accepted",
                    now);
        } else {
            Conditions.set(crd, Conditions.ESTABLISHED, false, "NotAccepted", "not all names are accepted", now);
        }
    }

    private static void name(
            JsonNode wanted,
            ObjectNode names,
            String field,
            String reason,
            Set<String> taken,
            Collection<String[]> conflicts) {
        String name = wanted.path(field).asText();
        if (name.equals(names.path(field).asText()) || !taken.contains(name)) {
            copy(wanted, names, field);
        } else {
            conflicts.add(new String[] {reason, quoted(name) + " is already in use"});
        }
    }

    private void shortNames(JsonNode wanted, ObjectNode names, Collection<String[]> conflicts) {
        Set<String> own = new HashSet<>();
        names.path("shortNames").forEach(name -> own.add(name.asText()));
        var used = new ArrayList<String>();
        for (JsonNode name : wanted.path("shortNames")) {
            if (!own.contains(name.asText()) && resources.contains(name.asText())) {
                used.add(quoted(name.asText()) + " is already in use");
            }
        }
        if (used.isEmpty()) {
            copy(wanted, names, "shortNames");
        } else {
            String all = used.size() == 1 ? used.getFirst() : "[" + String.join(", ", used) + "]";
            conflicts.add(new String[] {"ShortNamesConflict", all});
        }
    }

    private static void copy(JsonNode from, ObjectNode to, String field) {
        JsonNode value = from.get(field);
        if (value == null) {
            to.remove(field);
        } else {
            to.set(field, value.deepCopy());
        }
    }

    private static String quoted(String name) {
        return "\"" + name + "\"";
    }
}
