package io.keelson.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Makes the resource that {@link Descriptions} reads, of the annotations in the sources of the official Java client
 * (io.kubernetes:client-java-api, Apache License 2.0), whose path is given to {@link #main}: {@code mvn dependency:get
 * -Dartifact=io.kubernetes:client-java-api:VERSION:jar:sources} brings them into the local repository. A new version of the
 * schemas is taken up by running it.
 */
final class DescriptionsGenerator {
    private static final Path RESOURCE = Path.of("src/main/resources/io/keelson/schema/descriptions.gz");
    private static final String MODELS = "io/kubernetes/client/openapi/models/";
    private static final String TEXT = "\"((?:[^\"\\\\]|\\\\.)*+)\"";

    private static final Pattern TYPE = Pattern.compile("@ApiModel\\(description = " + TEXT + "\\)");
    private static final Pattern FIELD = Pattern.compile(
            "= \"([^\"]+)\";\\s+@SerializedName\\(\\w+\\)\\s+(?:@[\\w.]+\\s+)*private [^;=]*?(\\w+)(?: =[^;]*)?;");
    private static final Pattern GETTER = Pattern.compile(
            "@ApiModelProperty\\((?:required = true, )?value = " + TEXT + "\\)\\s+public [^;{]*\\{\\s+return (\\w+);");

    private DescriptionsGenerator() {}

    public static void main(String[] arguments) throws IOException {
        SchemaLibrary library = SchemaLibrary.read();
        var lines = new TreeMap<String, String>();
        try (var sources = new ZipFile(Path.of(arguments[0]).toFile())) {
            for (String name : library.names()) {
                String source = source(sources, name);
                ObjectNode schema = library.definition(name);
                if (source != null && schema != null) {
                    describe(name, schema, source, lines);
                }
            }
        }
        lines.replaceAll((field, text) -> text.isEmpty() ? ofType(library, field, lines) : text);
        lines.values().removeIf(String::isEmpty);
        try (Writer out =
                new OutputStreamWriter(new GZIPOutputStream(Files.newOutputStream(RESOURCE)), StandardCharsets.UTF_8)) {
            for (Map.Entry<String, String> line : lines.entrySet()) {
                out.write(line.getKey() + "\t" + line.getValue() + "\n");
            }
        }
        System.out.println(lines.size() + " descriptions, " + Files.size(RESOURCE) + " bytes");
    }

    /** The class of a schema: its version and kind, with the group before them where several groups have such a kind. */
    private static @Nullable String source(ZipFile sources, String schema) throws IOException {
        List<String> parts = List.of(schema.split("\\."));
        String kind = parts.getLast();
        String version = capitalized(parts.get(parts.size() - 2));
        String group = capitalized(parts.get(parts.size() - 3));
        for (String name : List.of(group + version + kind, version + kind)) {
            ZipEntry entry = sources.getEntry(MODELS + name + ".java");
            if (entry != null) {
                return new String(sources.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
            }
        }
        return null;
    }

    private static void describe(String name, ObjectNode schema, String source, SortedMap<String, String> lines) {
        var type = TYPE.matcher(source);
        if (type.find()) {
            lines.put(name + "\t", line(type.group(1)));
        }
        var jsonNames = new TreeMap<String, String>();
        var field = FIELD.matcher(source);
        while (field.find()) {
            jsonNames.put(field.group(2), field.group(1));
        }
        JsonNode properties = schema.path("properties");
        var getter = GETTER.matcher(source);
        while (getter.find()) {
            String property = jsonNames.getOrDefault(getter.group(2), "");
            if (properties.has(property)) {
                lines.put(name + "\t" + property, line(getter.group(1)));
            }
        }
    }

    /** What the type of a field is for, where nothing is said of the field itself. */
    private static String ofType(SchemaLibrary library, String field, SortedMap<String, String> lines) {
        int tab = field.indexOf('\t');
        ObjectNode schema = library.definition(field.substring(0, tab));
        if (schema == null) {
            return "";
        }
        JsonNode property = schema.path("properties").path(field.substring(tab + 1));
        String reference = property.findPath("$ref").asText();
        return reference.isEmpty() ? "" : lines.getOrDefault(SchemaLibrary.referenced(reference) + "\t", "");
    }

    /** The text of a literal, its line ends still escaped. */
    private static String line(String literal) {
        return literal.translateEscapes()
                .replace("\\", "\\\\")
                .replace("\n", "\\n")
                .replace("\t", " ")
                .strip();
    }

    private static String capitalized(String word) {
        return word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1);
    }
}
