package io.keelson.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The YAML codec: one document of an untrusted body to the tree that the same content in JSON gives, and trees to YAML.
 * Stateless and thread-safe. The size of a body is for its reader to bound.
 */
public final class Yaml {
    private Yaml() {}

    /**
     * Parses one YAML document. Plain scalars mean what they mean in Kubernetes manifests: numbers and booleans as in YAML
     * 1.2, {@code 0644} an octal number since file modes are written so, {@code yes} and {@code on} and dates strings. A key
     * given twice, several documents, nesting deeper than {@link Json#MAX_DEPTH}, aliases that blow the document up and bad
     * UTF-8 are errors.
     *
     * @throws BadJsonException with words for the sender, and the line
     */
    public static JsonNode parse(byte[] body) {
        return parse(body, duplicate -> {
            throw new BadJsonException(YamlReader.WRONG + duplicate, null);
        });
    }

    /**
     * Parses one YAML document as {@link #parse(byte[])} does, but takes keys that are given more than once, whose last value
     * counts.
     *
     * @param duplicates is told of each such key and its line
     * @throws BadJsonException with words for the sender, and the line
     */
    public static JsonNode parse(byte[] body, Consumer<String> duplicates) {
        String text = Utf8.decode(body);
        try {
            return new YamlReader(text, duplicates).read();
        } catch (MarkedYamlEngineException e) {
            String line = e.getProblemMark()
                    .map(mark -> YamlReader.at(mark.getLine()))
                    .orElse("");
            throw new BadJsonException(YamlReader.WRONG + e.getProblem() + line, e);
        } catch (ReaderException e) {
            String what = "character U+%04X is not allowed".formatted(e.getCodePoint());
            throw new BadJsonException(YamlReader.WRONG + what, e);
        } catch (YamlEngineException e) {
            throw new BadJsonException(YamlReader.WRONG + e.getMessage(), e);
        }
    }

    /** Writes a tree as one YAML document that {@link #parse} turns into the same tree. */
    public static byte[] write(JsonNode node) {
        return new YamlWriter().write(node).getBytes(StandardCharsets.UTF_8);
    }
}
