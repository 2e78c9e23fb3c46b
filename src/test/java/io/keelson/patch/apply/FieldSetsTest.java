package io.keelson.patch.apply;

import static io.keelson.patch.apply.ApplyFixture.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.Json;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FieldSetsTest {
    private static final ObjectNode A_WITH_B = json("{'f:a':{'.':{},'f:b':{}}}");

    @Test
    void anElementWithOthersBelowIsAMemberBySelf() {
        assertThat(FieldSets.isMember(json("{}"))).isTrue();
        assertThat(FieldSets.isMember(json("{'.':{},'f:b':{}}"))).isTrue();
        assertThat(FieldSets.isMember(json("{'f:b':{}}"))).isFalse();
    }

    @Test
    void minusTakesMembersAndLeavesWhatIsBelow() {
        assertThat(FieldSets.minus(A_WITH_B, json("{'f:a':{}}"))).isEqualTo(json("{'f:a':{'f:b':{}}}"));
        assertThat(FieldSets.minus(A_WITH_B, json("{'f:a':{'f:b':{}}}"))).isEqualTo(json("{'f:a':{}}"));
        assertThat(FieldSets.minus(A_WITH_B, A_WITH_B)).isNull();
        assertThat(FieldSets.minus(A_WITH_B, json("{'f:x':{}}"))).isSameAs(A_WITH_B);
    }

    @Test
    void intersectionLeavesNothingEmpty() {
        assertThat(FieldSets.intersection(A_WITH_B, json("{'f:a':{'f:c':{}}}"))).isNull();
        assertThat(FieldSets.intersection(A_WITH_B, json("{'f:a':{}}"))).isEqualTo(json("{'f:a':{}}"));
        assertThat(FieldSets.intersection(A_WITH_B, json("{'f:a':{'f:b':{'f:c':{}}}}")))
                .isNull();
    }

    @Test
    void unionKeepsMembership() {
        assertThat(FieldSets.union(json("{'f:a':{}}"), json("{'f:a':{'f:b':{}}}")))
                .isEqualTo(A_WITH_B);
        assertThat(FieldSets.union(json("{'f:a':{'f:b':{}}}"), json("{'f:a':{}}")))
                .isEqualTo(A_WITH_B);
        assertThat(FieldSets.union(A_WITH_B, null)).isSameAs(A_WITH_B);
    }

    @Test
    void pathsAreShownAsKubernetesWritesThem() {
        ObjectNode set = Json.object();
        set.putObject("f:spec")
                .putObject("f:ports")
                .putObject("k:{\"port\":80,\"protocol\":\"TCP\"}")
                .putObject("f:name");
        set.putObject("f:metadata").putObject("f:finalizers").putObject("v:\"a\"");
        var paths = new ArrayList<String>();
        FieldSets.forEachPath(set, paths::add);

        assertThat(paths).containsExactly(".metadata.finalizers[=\"a\"]", ".spec.ports[port=80,protocol=\"TCP\"].name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'f:a':{'.':{}}}",
                "{'v:1':{}}",
                "{'i:3':{}}",
                "{}",
                "{'f:':{}}",
                "{'f:a':{'f:b':{'.':{},'f:c':{}}}}"
            })
    void acceptsWhatHasTheForm(String set) {
        assertThat(FieldSets.isValid(json(set))).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'a':{}}",
                "{'x:a':{}}",
                "{'f:a':1}",
                "{'k:{}':{}}",
                "{'k:':{}}",
                "{'i:x':{}}",
                "{'v:':{}}",
                "{'.':{'f:a':{}}}"
            })
    void refusesWhatHasNot(String set) {
        assertThat(FieldSets.isValid(json(set))).isFalse();
    }
}
