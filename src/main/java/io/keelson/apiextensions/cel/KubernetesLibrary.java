package io.keelson.apiextensions.cel;

import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import io.keelson.apiextensions.cel.Functions.Param;
import java.util.List;

/**
 * The functions that Kubernetes adds to CEL.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/cel/">Common Expression Language in Kubernetes</a>
 */
final class KubernetesLibrary {
    private KubernetesLibrary() {}

    static Functions functions() {
        var functions = new Functions();
        ListFunctions.addTo(functions);
        RegexFunctions.addTo(functions);
        UrlFunctions.addTo(functions);
        QuantityFunctions.addTo(functions);
        AddressFunctions.addTo(functions);
        FormatFunctions.addTo(functions);
        functions.member(
                "format",
                "string_format",
                SimpleType.STRING,
                args -> TextFormat.format((String) args[0], (List<?>) args[1]),
                Param.TEXT,
                new Param(ListType.create(SimpleType.DYN), List.class));
        return functions;
    }
}
