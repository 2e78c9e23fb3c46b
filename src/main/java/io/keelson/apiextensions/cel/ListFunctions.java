package io.keelson.apiextensions.cel;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import io.keelson.apiextensions.cel.Functions.Param;
import java.util.List;

/** Functions on lists: order, sums, extremes and places. */
final class ListFunctions {
    private static final CelType T = TypeParamType.create("T");
    private static final Param LIST = new Param(ListType.create(T), List.class);
    private static final Param ITEM = new Param(T, Object.class);

    private ListFunctions() {}

    static void addTo(Functions functions) {
        functions.member("isSorted", "list_is_sorted", SimpleType.BOOL, args -> isSorted((List<?>) args[0]), LIST);
        functions.member("sum", "list_sum", T, args -> sum((List<?>) args[0]), LIST);
        functions.member("min", "list_min", T, args -> extreme((List<?>) args[0], -1, "min"), LIST);
        functions.member("max", "list_max", T, args -> extreme((List<?>) args[0], 1, "max"), LIST);
        functions.member(
                "indexOf",
                "list_index_of",
                SimpleType.INT,
                args -> (long) ((List<?>) args[0]).indexOf(args[1]),
                LIST,
                ITEM);
        functions.member(
                "lastIndexOf",
                "list_last_index_of",
                SimpleType.INT,
                args -> (long) ((List<?>) args[0]).lastIndexOf(args[1]),
                LIST,
                ITEM);
    }

    private static boolean isSorted(List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            if (compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object one, Object other) {
        if (one instanceof Number a
                && other instanceof Number b
                && !a.getClass().equals(b.getClass())) {
            return Double.compare(a.doubleValue(), b.doubleValue());
        }
        if (one instanceof Comparable<?> comparable) {
            return ((Comparable<Object>) comparable).compareTo(other);
        }
        throw new IllegalArgumentException("no such overload");
    }

    private static Object extreme(List<?> list, int sign, String name) {
        if (list.isEmpty()) {
            throw new IllegalArgumentException(name + " called on empty list");
        }
        Object best = list.getFirst();
        for (Object item : list) {
            if (compare(item, best) * (long) sign > 0) {
                best = item;
            }
        }
        return best;
    }

    private static Object sum(List<?> list) {
        boolean fractions = list.stream().anyMatch(Double.class::isInstance);
        if (fractions) {
            return list.stream()
                    .mapToDouble(item -> ((Number) item).doubleValue())
                    .sum();
        }
        long sum = 0;
        for (Object item : list) {
            sum = Math.addExact(sum, ((Number) item).longValue());
        }
        return sum;
    }
}
