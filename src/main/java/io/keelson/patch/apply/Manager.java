package io.keelson.patch.apply;

import java.util.Comparator;

/**
 * Who owns fields: an entry of managedFields without its fields and its time.
 *
 * @param apiVersion of an updater; empty for an applier, which is one whatever version it applies
 * @param subresource that was written, empty for the object itself
 */
record Manager(String name, Operation operation, String apiVersion, String subresource) {
    /** How a manager writes. */
    enum Operation {
        APPLY("Apply"),
        UPDATE("Update");

        private final String wire;

        Operation(String wire) {
            this.wire = wire;
        }

        String wire() {
            return wire;
        }
    }

    static final Comparator<Manager> ORDER = Comparator.comparing(Manager::name)
            .thenComparing(Manager::operation)
            .thenComparing(Manager::apiVersion)
            .thenComparing(Manager::subresource);

    static Manager applier(Writer writer) {
        return new Manager(writer.manager(), Operation.APPLY, "", writer.subresource());
    }

    static Manager updater(Writer writer) {
        return new Manager(writer.manager(), Operation.UPDATE, writer.apiVersion(), writer.subresource());
    }

    /** As messages of conflicts name it. */
    String inWords() {
        String words = "\"" + name + "\"";
        if (!subresource.isEmpty()) {
            words += " with subresource \"" + subresource + "\"";
        }
        return operation == Operation.UPDATE ? words + " using " + apiVersion : words;
    }
}
