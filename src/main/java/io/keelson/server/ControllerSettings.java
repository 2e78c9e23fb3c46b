package io.keelson.server;

import io.keelson.controllers.Controllers;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Which controllers the settings ask for. */
final class ControllerSettings {
    private ControllerSettings() {}

    /** Refuses settings that cannot be, before anything is opened. */
    static void check(KeelsonConfig config) {
        var _ = wanted(config);
        if (config.controllers().leaseDuration().toSeconds() < 1) {
            throw new StartupException(
                    StartupException.BAD_SETTING, "keelson.controllers.lease-duration must be at least 1s", null);
        }
    }

    /** @throws StartupException where there is no such controller */
    static Set<Controllers.Name> wanted(KeelsonConfig config) {
        Set<Controllers.Name> wanted = EnumSet.allOf(Controllers.Name.class);
        for (String asked : config.controllers().disabled().orElse(List.of())) {
            if (!wanted.removeIf(name -> name.text().equals(asked.strip())) && !isName(asked.strip())) {
                throw new StartupException(
                        StartupException.BAD_SETTING,
                        "keelson.controllers.disabled names \"" + asked.strip()
                                + "\", which is none of the controllers: "
                                + Arrays.stream(Controllers.Name.values())
                                        .map(Controllers.Name::text)
                                        .collect(Collectors.joining(", ")),
                        null);
            }
        }
        return config.controllers().enabled() ? wanted : Set.of();
    }

    private static boolean isName(String text) {
        return Arrays.stream(Controllers.Name.values())
                .anyMatch(name -> name.text().equals(text));
    }
}
