package io.keelson.kubernetes;

import io.smallrye.config.WithName;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The environment variables that the settings of a mapping interface can be given by. */
final class Settings {
    private Settings() {}

    /** Whether the variable gives a setting of the mapping, or an entry of a setting that is a map. */
    static boolean isKnown(String variable, Class<?> mapping, String prefix) {
        return patterns(mapping, prefix).stream().anyMatch(variable::matches);
    }

    private static List<String> patterns(Class<?> mapping, String prefix) {
        List<String> patterns = new ArrayList<>();
        for (Method method : mapping.getDeclaredMethods()) {
            String name = prefix + "." + name(method);
            if (method.getReturnType().isInterface() && method.getReturnType().getEnclosingClass() == mapping) {
                patterns.addAll(patterns(method.getReturnType(), name));
            } else if (method.getReturnType() == Map.class) {
                patterns.add(variable(name) + "_[A-Z0-9_]+");
            } else {
                patterns.add(variable(name));
            }
        }
        return patterns;
    }

    private static String name(Method method) {
        WithName given = method.getAnnotation(WithName.class);
        return given != null
                ? given.value()
                : method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    private static String variable(String property) {
        return property.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
    }
}
