package io.keelson.registry;

import static io.keelson.registry.TestingRegistry.changing;
import static io.keelson.registry.TestingRegistry.in;
import static io.keelson.registry.TestingRegistry.json;
import static io.keelson.registry.TestingRegistry.tree;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.resources.core.Namespaces;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NamespaceFinalizeRestTest {
    private final TestingRegistry registry = new TestingRegistry(List.of(Namespaces.definition()), Admission.ALL);
    private final NamespaceFinalizeRest finalize = new NamespaceFinalizeRest(registry.store("namespaces"));

    @BeforeEach
    void create() {
        registry.create("namespaces", "", "{'metadata':{'name':'x'}}");
    }

    @AfterEach
    void close() {
        registry.close();
    }

    private ObjectNode finalizeWith(String object) {
        return tree(finalize.update(in(""), "x", existing -> json(object)).object());
    }

    private int refusal(String object) {
        var code = new int[1];
        assertThatExceptionOfType(ApiException.class)
                .isThrownBy(() -> finalizeWith(object))
                .satisfies(e -> code[0] = e.status().code());
        return code[0];
    }

    @Test
    void changesTheSpecsFinalizersOnly() {
        ObjectNode before = registry.read("namespaces", "", "x");
        ObjectNode after = finalizeWith("{'metadata':{'name':'x','labels':{'a':'b'}},"
                + "'spec':{'finalizers':['kubernetes','a.b/c'],'other':1},'status':{'phase':'Odd'}}");
        assertThat(after.path("spec")).isEqualTo(json("{'finalizers':['kubernetes','a.b/c']}"));
        assertThat(after.path("status")).isEqualTo(before.path("status"));
        assertThat(after.path("metadata").path("labels"))
                .isEqualTo(before.path("metadata").path("labels"));
        assertThat(finalizeWith("{'metadata':{'name':'x'}}").path("spec")).isEmpty();
        assertThat(registry.read("namespaces", "", "x").path("metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    void endsANamespaceThatIsBeingDeleted() {
        registry.delete("namespaces", "", "x");
        assertThat(finalizeWith("{'metadata':{'name':'x'},'spec':{'finalizers':['a.b/c']}}")
                        .path("status")
                        .path("phase")
                        .asText())
                .isEqualTo("Terminating");
        finalizeWith("{'metadata':{'name':'x'},'spec':{'finalizers':[]}}");
        assertThat(refusal("{'metadata':{'name':'x'}}")).isEqualTo(404);
    }

    @Test
    void refusesWhatIsNoFinalizer() {
        assertThat(refusal("{'metadata':{'name':'x'},'spec':{'finalizers':['plain']}}"))
                .isEqualTo(422);
        assertThat(refusal("{'metadata':{'name':'x'},'spec':{'finalizers':'kubernetes'}}"))
                .isEqualTo(422);
    }

    @Test
    void refusesAStaleVersion() {
        ObjectNode old = registry.read("namespaces", "", "x");
        registry.update(
                "namespaces",
                "",
                "x",
                namespace -> ((ObjectNode) namespace.get("metadata"))
                        .putObject("annotations")
                        .put("a", "b"));
        assertThat(refusal(old.toString())).isEqualTo(409);
        finalize.update(in(""), "x", changing(namespace -> namespace.remove("spec")));
    }
}
