package io.keelson.apiextensions.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import io.keelson.api.Names;
import io.keelson.apiextensions.cel.Functions.Param;
import io.keelson.apiextensions.structural.Formats;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The type of named formats, and its functions. */
final class FormatFunctions {
    private static final CelType FORMAT = OpaqueType.create("kubernetes.NamedFormat");
    private static final CelType STRINGS = ListType.create(SimpleType.STRING);

    private FormatFunctions() {}

    private record Format(String name, Function<String, List<String>> rule) {}

    private static final Map<String, Format> FORMATS = formats();

    private static Map<String, Format> formats() {
        var formats = new LinkedHashMap<String, Format>();
        Map.<String, Function<String, List<String>>>of(
                        "dns1123Label", Names::label,
                        "dns1123Subdomain", Names::subdomain,
                        "dns1035Label", Names::label1035,
                        "dns1123LabelPrefix", text -> Names.label(text.replaceAll("-$", "a")),
                        "dns1123SubdomainPrefix", text -> Names.subdomain(text.replaceAll("-$", "a")),
                        "dns1035LabelPrefix", text -> Names.label1035(text.replaceAll("-$", "a")),
                        "qualifiedName", Names::labelKey,
                        "labelValue", Names::labelValue)
                .forEach((name, rule) -> formats.put(name, new Format(name, rule)));
        formats.put("uri", new Format("uri", text -> UrlFunctions.isUrl(text) ? List.of() : List.of("invalid uri")));
        for (String name : List.of("uuid", "byte", "date", "datetime")) {
            formats.put(
                    name, new Format(name, text -> Formats.fits(name, text) ? List.of() : List.of("invalid " + name)));
        }
        return formats;
    }

    static void addTo(Functions functions) {
        Param format = new Param(FORMAT, Format.class);
        FORMATS.forEach((name, value) -> functions.global("format." + name, "format_" + name, FORMAT, args -> value));
        functions.global(
                "format.named",
                "format_named",
                OptionalType.create(FORMAT),
                args -> Optional.ofNullable(FORMATS.get((String) args[0])),
                Param.TEXT);
        functions.member(
                "validate",
                "format_validate",
                OptionalType.create(STRINGS),
                args -> {
                    List<String> faults = ((Format) args[0]).rule().apply((String) args[1]);
                    return faults.isEmpty() ? Optional.empty() : Optional.of(faults);
                },
                format,
                Param.TEXT);
    }
}
