package io.keelson.apiextensions.cel;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import io.keelson.apiextensions.cel.Functions.Param;
import io.keelson.resources.fields.Quantities;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** The type of quantities, and its functions. */
final class QuantityFunctions {
    private static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");

    private QuantityFunctions() {}

    private record Quantity(BigDecimal value) implements Comparable<Quantity> {
        @Override
        public int compareTo(Quantity other) {
            return value.compareTo(other.value);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Quantity quantity && compareTo(quantity) == 0;
        }

        @Override
        public int hashCode() {
            return value.stripTrailingZeros().hashCode();
        }

        boolean whole() {
            return value.stripTrailingZeros().scale() <= 0
                    && value.abs().compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0;
        }
    }

    static void addTo(Functions functions) {
        Param quantity = new Param(QUANTITY, Quantity.class);
        functions.global(
                "isQuantity",
                "is_quantity_string",
                SimpleType.BOOL,
                args -> Quantities.value(TextNode.valueOf((String) args[0])) != null,
                Param.TEXT);
        functions.global(
                "quantity",
                "string_to_quantity",
                QUANTITY,
                args -> {
                    BigDecimal value = Quantities.value(TextNode.valueOf((String) args[0]));
                    if (value == null) {
                        throw new IllegalArgumentException(io.keelson.api.Quantity.MALFORMED);
                    }
                    return new Quantity(value);
                },
                Param.TEXT);
        functions.member(
                "sign",
                "quantity_sign",
                SimpleType.INT,
                args -> (long) value(args[0]).signum(),
                quantity);
        functions.member(
                "isInteger", "quantity_is_integer", SimpleType.BOOL, args -> ((Quantity) args[0]).whole(), quantity);
        functions.member(
                "asInteger",
                "quantity_as_integer",
                SimpleType.INT,
                args -> {
                    if (!((Quantity) args[0]).whole()) {
                        throw new IllegalArgumentException("cannot convert value to integer");
                    }
                    return value(args[0]).setScale(0, RoundingMode.UNNECESSARY).longValueExact();
                },
                quantity);
        functions.member(
                "asApproximateFloat",
                "quantity_as_float",
                SimpleType.DOUBLE,
                args -> value(args[0]).doubleValue(),
                quantity);
        functions.member(
                "compareTo",
                "quantity_compare_to",
                SimpleType.INT,
                args -> (long) value(args[0]).compareTo(value(args[1])),
                quantity,
                quantity);
        functions.member(
                "isGreaterThan",
                "quantity_is_greater_than",
                SimpleType.BOOL,
                args -> value(args[0]).compareTo(value(args[1])) > 0,
                quantity,
                quantity);
        functions.member(
                "isLessThan",
                "quantity_is_less_than",
                SimpleType.BOOL,
                args -> value(args[0]).compareTo(value(args[1])) < 0,
                quantity,
                quantity);
        functions.member(
                "add",
                "quantity_add",
                QUANTITY,
                args -> new Quantity(value(args[0]).add(value(args[1]))),
                quantity,
                quantity);
        functions.member(
                "add",
                "quantity_add_int",
                QUANTITY,
                args -> new Quantity(value(args[0]).add(BigDecimal.valueOf((Long) args[1]))),
                quantity,
                Param.NUMBER);
        functions.member(
                "sub",
                "quantity_sub",
                QUANTITY,
                args -> new Quantity(value(args[0]).subtract(value(args[1]))),
                quantity,
                quantity);
        functions.member(
                "sub",
                "quantity_sub_int",
                QUANTITY,
                args -> new Quantity(value(args[0]).subtract(BigDecimal.valueOf((Long) args[1]))),
                quantity,
                Param.NUMBER);
    }

    private static BigDecimal value(Object quantity) {
        return ((Quantity) quantity).value();
    }
}
