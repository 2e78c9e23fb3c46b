package io.keelson.apiextensions.cel;

import dev.cel.checker.CelCheckerBuilder;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompilerLibrary;
import dev.cel.parser.CelParserBuilder;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntimeBuilder;
import dev.cel.runtime.CelRuntimeLibrary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Functions by name, each with its overloads: what the checker knows of them, and what the runtime calls. */
final class Functions implements CelCompilerLibrary, CelRuntimeLibrary {
    private final Map<String, List<CelOverloadDecl>> declarations = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bindings = new ArrayList<>();

    /** A parameter: its type in CEL, and the Java class of its values. */
    record Param(CelType type, Class<?> values) {
        static final Param TEXT = new Param(SimpleType.STRING, String.class);
        static final Param NUMBER = new Param(SimpleType.INT, Long.class);
    }

    /** What an overload does; it may close over whatever does not change. */
    @FunctionalInterface
    interface Body {
        Object apply(Object[] args);
    }

    /** Adds an overload that is called as a function. */
    void global(String name, String id, CelType result, Body body, Param... params) {
        add(name, CelOverloadDecl.newGlobalOverload(id, result, types(params)), body, params);
    }

    /** Adds an overload that is called on its first parameter. */
    void member(String name, String id, CelType result, Body body, Param... params) {
        add(name, CelOverloadDecl.newMemberOverload(id, result, types(params)), body, params);
    }

    // The library wants all that a function closes over to be marked, which the JDK's types cannot be.
    @SuppressWarnings("Immutable")
    private void add(String name, CelOverloadDecl declaration, Body body, Param... params) {
        declarations.computeIfAbsent(name, any -> new ArrayList<>()).add(declaration);
        List<Class<?>> classes = new ArrayList<>();
        for (Param param : params) {
            classes.add(param.values());
        }
        bindings.add(CelFunctionBinding.from(declaration.overloadId(), classes, body::apply));
    }

    private static List<CelType> types(Param... params) {
        var types = new ArrayList<CelType>();
        for (Param param : params) {
            types.add(param.type());
        }
        return types;
    }

    @Override
    public void setParserOptions(CelParserBuilder builder) {}

    @Override
    public void setCheckerOptions(CelCheckerBuilder builder) {
        declarations.forEach((name, overloads) ->
                builder.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
    }

    @Override
    public void setRuntimeOptions(CelRuntimeBuilder builder) {
        builder.addFunctionBindings(bindings);
    }
}
