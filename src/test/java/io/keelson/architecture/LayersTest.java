package io.keelson.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.Assertions;

/** Holds the package table of ARCHITECTURE.md: imports only go down it, and frameworks stay at its top. */
@AnalyzeClasses(packages = "io.keelson", importOptions = ImportOption.DoNotIncludeTests.class)
class LayersTest {
    /** From the top down. A layer is a package with those below it that are no layers of their own. */
    private static final List<String> LAYERS = List.of(
            "server",
            "endpoints",
            "security",
            "controllers",
            "apiextensions",
            "resources",
            "registry",
            "patch",
            "schema",
            "cacher",
            "storage.etcd",
            "storage.embedded",
            "storage.kv",
            "storage",
            "api");

    @ArchTest
    static void importsOnlyGoDown(JavaClasses classes) {
        var broken = new ArrayList<String>();
        for (int i = 0; i < LAYERS.size(); i++) {
            for (int above = 0; above < i; above++) {
                ArchRule rule = noClasses()
                        .that()
                        .resideInAnyPackage(packagesOf(LAYERS.get(i)))
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(packagesOf(LAYERS.get(above)))
                        .allowEmptyShould(true);
                EvaluationResult result = rule.evaluate(classes);
                broken.addAll(result.getFailureReport().getDetails());
            }
        }
        Assertions.assertThat(broken).isEmpty();
    }

    /** The two stores do not know each other. */
    @ArchTest
    static final ArchRule STORES_ARE_APART = noClasses()
            .that()
            .resideInAPackage("io.keelson.storage.etcd..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.keelson.storage.embedded..");

    @ArchTest
    static final ArchRule NO_CYCLES =
            slices().matching("io.keelson.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule FRAMEWORKS_STAY_AT_THE_TOP = noClasses()
            .that()
            .resideOutsideOfPackages("io.keelson.server..", "io.keelson.endpoints..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.quarkus..", "jakarta..", "io.vertx..", "io.smallrye..", "io.micrometer..");

    /** "storage" is its own package only, as its sub-packages are layers; the other layers include theirs. */
    private static String[] packagesOf(String layer) {
        String name = "io.keelson." + layer;
        return layer.equals("storage") ? new String[] {name} : new String[] {name + ".."};
    }
}
