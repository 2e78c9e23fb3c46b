package io.keelson.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;

/** Generated JSON trees, as a parser would have made them. */
public final class Trees {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Trees() {}

    /** Objects whose keys come from a few names, so that two of them have paths in common. */
    public static Arbitrary<ObjectNode> objects() {
        return fields(Arbitraries.of("a", "b", "c", "d/e", "~f", "0"), 3).map(Trees::object);
    }

    /** Objects with any keys and values that Unicode allows. */
    public static Arbitrary<ObjectNode> wildObjects() {
        return fields(strings(), 3).map(Trees::object);
    }

    private static Arbitrary<Map<String, JsonNode>> fields(Arbitrary<String> keys, int depth) {
        return Arbitraries.maps(keys, values(keys, depth)).ofMaxSize(4);
    }

    private static Arbitrary<JsonNode> values(Arbitrary<String> keys, int depth) {
        if (depth == 0) {
            return scalars();
        }
        Arbitrary<JsonNode> objects = fields(keys, depth - 1).map(Trees::object);
        Arbitrary<JsonNode> arrays = values(keys, depth - 1).list().ofMaxSize(4).map(Trees::array);
        return Arbitraries.oneOf(scalars(), objects, arrays);
    }

    private static Arbitrary<JsonNode> scalars() {
        return Arbitraries.oneOf(
                strings().map(NODES::textNode),
                Arbitraries.of(
                                "true",
                                "yes",
                                "0644",
                                "1.5",
                                "null",
                                "~",
                                "",
                                " ",
                                "- a",
                                "a: b",
                                "#",
                                "2001-01-01",
                                "<<")
                        .map(NODES::textNode),
                Arbitraries.of(true, false).map(NODES::booleanNode),
                Arbitraries.integers().map(NODES::numberNode),
                Arbitraries.longs().map(Trees::whole),
                Arbitraries.of(BigInteger.TEN.pow(30), BigInteger.TWO.pow(64).negate())
                        .map(NODES::numberNode),
                Arbitraries.of("1.10", "-0.5", "1E+3", "2.5E-7", "0.0")
                        .map(text -> NODES.numberNode(new BigDecimal(text))),
                Arbitraries.just(NODES.nullNode()));
    }

    /** Unicode without lone surrogates, which neither JSON nor YAML can carry. */
    private static Arbitrary<String> strings() {
        Arbitrary<String> any = Arbitraries.strings().ofMaxLength(8).filter(Trees::wellFormed);
        return Arbitraries.oneOf(any, Arbitraries.strings().ascii().ofMaxLength(8));
    }

    private static boolean wellFormed(String text) {
        return text.codePoints().noneMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
    }

    private static JsonNode whole(long number) {
        return (int) number == number ? NODES.numberNode((int) number) : NODES.numberNode(number);
    }

    private static ObjectNode object(Map<String, JsonNode> fields) {
        ObjectNode object = NODES.objectNode();
        fields.forEach((key, value) -> object.set(key, value.deepCopy()));
        return object;
    }

    private static JsonNode array(List<JsonNode> items) {
        var array = NODES.arrayNode();
        items.forEach(item -> array.add(item.<JsonNode>deepCopy()));
        return array;
    }
}
