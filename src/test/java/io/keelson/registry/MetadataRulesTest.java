package io.keelson.registry;

import static io.keelson.registry.TestingRegistry.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetadataRulesTest {
    private static final ResourceDefinition WIDGETS = new Widgets().definition();

    private static List<String> faults(String more) {
        ObjectNode metadata = json("{'name':'w','namespace':'n'}");
        metadata.setAll(json(more));
        return texts(MetadataRules.validate(metadata, WIDGETS));
    }

    private static List<String> texts(List<FieldError> errors) {
        return errors.stream().map(FieldError::text).toList();
    }

    private static List<String> updateFaults(String metadata, String old) {
        return texts(MetadataRules.validateUpdate(json(metadata), json(old)));
    }

    @Test
    void acceptsWhatKeepsTheRules() {
        assertThat(faults("{}")).isEmpty();
        assertThat(faults("{'labels':{'a.b/c':'d','e':''},'annotations':{'X':'any text at all'},"
                        + "'finalizers':['a.b/c','orphan'],'generateName':'w-','generation':0,"
                        + "'ownerReferences':[{'apiVersion':'v1','kind':'K','name':'x','uid':'u','controller':true},"
                        + "{'apiVersion':'v1','kind':'K','name':'y','uid':'v'}]}"))
                .isEmpty();
    }

    @Test
    void judgesNames() {
        assertThat(faults("{'name':''}"))
                .containsExactly("metadata.name: Required value: name or generateName is required");
        assertThat(faults("{'name':'A'}")).singleElement().asString().startsWith("metadata.name: Invalid value: \"A\"");
        assertThat(faults("{'generateName':'A-'}")).singleElement().asString().startsWith("metadata.generateName");
        assertThat(faults("{'namespace':''}")).containsExactly("metadata.namespace: Required value");
        assertThat(faults("{'namespace':'a.b'}")).singleElement().asString().startsWith("metadata.namespace: Invalid");
        assertThat(texts(MetadataRules.validate(json("{'name':'g','namespace':'n'}"), Widgets.gadgets())))
                .containsExactly("metadata.namespace: Forbidden: not allowed on this type");
    }

    @Test
    void judgesLabelsAndAnnotations() {
        assertThat(faults("{'labels':{'a b':'c'}}")).singleElement().asString().startsWith("metadata.labels: Invalid");
        assertThat(faults("{'labels':{'a':'b c'}}")).singleElement().asString().startsWith("metadata.labels: Invalid");
        assertThat(faults("{'labels':{'a':1}}")).containsExactly("metadata.labels: Invalid value: 1: must be a string");
        assertThat(faults("{'annotations':{'a/b/c':''}}"))
                .singleElement()
                .asString()
                .startsWith("metadata.annotations");
    }

    @Test
    void boundsAnnotations() {
        int most = MetadataRules.MAX_ANNOTATIONS_BYTES - 1;
        assertThat(faults("{'annotations':{'a':'" + "x".repeat(most) + "'}}")).isEmpty();
        assertThat(faults("{'annotations':{'a':'" + "x".repeat(most - 1) + "é'}}"))
                .containsExactly("metadata.annotations: Too long: may not be more than 262144 bytes");
    }

    @Test
    void judgesFinalizers() {
        assertThat(faults("{'finalizers':['plain']}"))
                .containsExactly("metadata.finalizers[0]: Invalid value: \"plain\": name is neither a standard"
                        + " finalizer name nor is it fully qualified");
        assertThat(faults("{'finalizers':['a b/c']}"))
                .singleElement()
                .asString()
                .startsWith("metadata.finalizers: Inv");
        assertThat(faults("{'finalizers':['orphan','foregroundDeletion']}"))
                .singleElement()
                .asString()
                .endsWith("finalizer orphan and foregroundDeletion cannot be both set");
    }

    @Test
    void judgesOwners() {
        assertThat(faults("{'ownerReferences':[{}]}")).hasSize(4);
        assertThat(faults("{'ownerReferences':[{'apiVersion':'v1','kind':'K','name':'x','uid':'u','controller':true},"
                        + "{'apiVersion':'v1','kind':'L','name':'y','uid':'v','controller':true}]}"))
                .singleElement()
                .asString()
                .endsWith("Only one reference can have Controller set to true. Found \"true\" in references for K/x"
                        + " and L/y");
    }

    @Test
    void holdsWhatIsImmutable() {
        String old = "{'name':'w','namespace':'n','uid':'u','creationTimestamp':'t'}";
        assertThat(updateFaults(old, old)).isEmpty();
        assertThat(updateFaults("{'name':'v','namespace':'m','uid':'x','creationTimestamp':'s'}", old))
                .containsExactly(
                        "metadata.name: Invalid value: \"v\": field is immutable",
                        "metadata.namespace: Invalid value: \"m\": field is immutable",
                        "metadata.uid: Invalid value: \"x\": field is immutable",
                        "metadata.creationTimestamp: Invalid value: \"s\": field is immutable");
    }

    @Test
    void letsFinalizersOnlyGoOnceTheObjectIsBeingDeleted() {
        assertThat(updateFaults("{'finalizers':['a.b/c']}", "{}")).isEmpty();
        assertThat(updateFaults("{'finalizers':['a.b/c']}", "{'deletionTimestamp':'t','finalizers':['a.b/c','a.b/d']}"))
                .isEmpty();
        assertThat(updateFaults("{'finalizers':['a.b/c']}", "{'deletionTimestamp':'t'}"))
                .singleElement()
                .asString()
                .startsWith("metadata.finalizers: Forbidden: no new finalizers can be added");
    }
}
