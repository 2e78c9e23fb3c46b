package io.keelson.apiextensions.cel;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import io.keelson.apiextensions.structural.StructuralSchema;
import io.keelson.apiextensions.structural.ValidationRule;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles rules. Stateless. */
final class Rules {
    /** How often a rule may go round in its loops. */
    private static final int MAX_ITERATIONS = 1_000_000;

    /** The longest expression, in characters. */
    private static final int MAX_EXPRESSION = 100_000;

    /** How deep an expression may be. */
    private static final int MAX_DEPTH = 250;

    private static final Pattern OLD_SELF = Pattern.compile("\\boldSelf\\b");

    private static final CelOptions OPTIONS = CelOptions.current()
            .enableHeterogeneousNumericComparisons(true)
            .enableOptionalSyntax(true)
            .comprehensionMaxIterations(MAX_ITERATIONS)
            .maxExpressionCodePointSize(MAX_EXPRESSION)
            .maxParseRecursionDepth(MAX_DEPTH)
            .build();

    private static final Functions FUNCTIONS = KubernetesLibrary.functions();

    /** Made when the first rule is compiled, since many servers have none. */
    private static final class Evaluator {
        static final CelRuntime RUNTIME = CelRuntimeFactory.legacyCelRuntimeBuilder()
                .setOptions(OPTIONS)
                .addLibraries(CelExtensions.optional(), CelExtensions.strings(), CelExtensions.sets(OPTIONS), FUNCTIONS)
                .addLibraries(CelExtensions.math(), CelExtensions.encoders(OPTIONS))
                .build();
    }

    private Rules() {}

    /**
     * A rule that can be asked.
     *
     * @param message makes the words for who breaks it; null where they are given
     * @param transition whether it compares with what was, so that it holds of new values
     */
    record Compiled(
            ValidationRule rule,
            CelRuntime.Program program,
            CelRuntime.@Nullable Program message,
            boolean transition) {}

    /** Says that an expression cannot be compiled, in the words of CEL. */
    static final class BadRuleException extends Exception {
        private static final long serialVersionUID = 1;
        private final boolean inMessage;

        BadRuleException(String why, boolean inMessage) {
            super(why);
            this.inMessage = inMessage;
        }

        /** Whether it is the expression that makes the message. */
        boolean inMessage() {
            return inMessage;
        }
    }

    /** Whether a rule compares with what was. */
    static boolean usesOldSelf(String expression) {
        return OLD_SELF.matcher(expression).find();
    }

    static Compiled compile(StructuralSchema schema, ValidationRule rule) throws BadRuleException {
        var types = new RuleTypes();
        CelType self = types.of(schema);
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(OPTIONS)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(CelExtensions.optional(), CelExtensions.strings(), CelExtensions.sets(OPTIONS), FUNCTIONS)
                .addLibraries(CelExtensions.math(), CelExtensions.encoders(OPTIONS), CelExtensions.bindings())
                .setTypeProvider(types)
                .addVar("self", self);
        boolean usesOld = usesOldSelf(rule.rule()) || usesOldSelf(rule.messageExpression());
        if (usesOld || rule.optionalOldSelf()) {
            builder.addVar("oldSelf", rule.optionalOldSelf() ? OptionalType.create(self) : self);
        }
        CelCompiler compiler = builder.build();
        CelRuntime.Program program = program(compiler, rule.rule(), SimpleType.BOOL, false);
        CelRuntime.Program message = rule.messageExpression().isBlank()
                ? null
                : program(compiler, rule.messageExpression(), SimpleType.STRING, true);
        return new Compiled(rule, program, message, usesOldSelf(rule.rule()) && !rule.optionalOldSelf());
    }

    private static CelRuntime.Program program(
            CelCompiler compiler, String expression, CelType result, boolean inMessage) throws BadRuleException {
        CelValidationResult checked = compiler.compile(expression.strip());
        if (checked.hasError()) {
            throw new BadRuleException("compilation failed: " + checked.getErrorString(), inMessage);
        }
        try {
            var ast = checked.getAst();
            boolean fits =
                    ast.getResultType().equals(result) || ast.getResultType().equals(SimpleType.DYN);
            if (!fits) {
                throw new BadRuleException(
                        inMessage
                                ? "messageExpression must evaluate to a string"
                                : "cel expression must evaluate to a bool",
                        inMessage);
            }
            return Evaluator.RUNTIME.createProgram(ast);
        } catch (CelValidationException | CelEvaluationException e) {
            throw new BadRuleException("compilation failed: " + e.getMessage(), inMessage);
        }
    }
}
