package io.keelson.server;

import io.keelson.resources.BuiltinResources;
import java.util.Set;
import java.util.TreeSet;

/** Which groups of built-in kinds the settings ask for. */
final class BuiltinGroups {
    private BuiltinGroups() {}

    /** Refuses settings that ask for a group that there is not, before anything is opened. */
    static void check(KeelsonConfig config) {
        var _ = of(config);
    }

    /**
     * The groups by name, those of an absent setting being all.
     *
     * @throws StartupException where there is no such group
     */
    static Set<String> of(KeelsonConfig config) {
        Set<String> known = BuiltinResources.groups();
        if (config.builtinGroups().isEmpty()) {
            return known;
        }
        var asked = new TreeSet<String>();
        for (String group : config.builtinGroups().get()) {
            if (!known.contains(group.strip())) {
                throw new StartupException(
                        StartupException.BAD_SETTING,
                        "keelson.builtin-groups names \"" + group + "\", which is none of the built-in groups: "
                                + String.join(", ", known),
                        null);
            }
            asked.add(group.strip());
        }
        return asked;
    }
}
