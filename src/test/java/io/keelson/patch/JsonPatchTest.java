package io.keelson.patch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.StatusReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonPatchTest {
    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"').getBytes(UTF_8));
    }

    private static ObjectNode apply(String document, String patch) {
        return JsonPatch.apply((ObjectNode) json(document), json(patch));
    }

    private static ApiException refused(String document, String patch) {
        return catchThrowableOfType(ApiException.class, () -> apply(document, patch));
    }

    /** The successful examples of RFC 6902, appendix A, where the document is an object. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'foo':'bar'} | [{'op':'add','path':'/baz','value':'qux'}] | {'foo':'bar','baz':'qux'}
            {'foo':['bar','baz']} | [{'op':'add','path':'/foo/1','value':'qux'}] | {'foo':['bar','qux','baz']}
            {'baz':'qux','foo':'bar'} | [{'op':'remove','path':'/baz'}] | {'foo':'bar'}
            {'foo':['bar','qux','baz']} | [{'op':'remove','path':'/foo/1'}] | {'foo':['bar','baz']}
            {'baz':'qux','foo':'bar'} | [{'op':'replace','path':'/baz','value':'boo'}] | {'baz':'boo','foo':'bar'}
            {'foo':{'bar':'baz','waldo':'fred'},'qux':{'corge':'grault'}} | [{'op':'move','from':'/foo/waldo','path':'/qux/thud'}] | {'foo':{'bar':'baz'},'qux':{'corge':'grault','thud':'fred'}}
            {'foo':['all','grass','cows','eat']} | [{'op':'move','from':'/foo/1','path':'/foo/3'}] | {'foo':['all','cows','eat','grass']}
            {'baz':'qux','foo':['a',2,'c']} | [{'op':'test','path':'/baz','value':'qux'},{'op':'test','path':'/foo/1','value':2}] | {'baz':'qux','foo':['a',2,'c']}
            {'foo':'bar'} | [{'op':'add','path':'/child','value':{'grandchild':{}}}] | {'foo':'bar','child':{'grandchild':{}}}
            {'foo':'bar'} | [{'op':'add','path':'/baz','value':'qux','xyz':123}] | {'foo':'bar','baz':'qux'}
            {'/':9,'~1':10} | [{'op':'test','path':'/~01','value':10}] | {'/':9,'~1':10}
            {'foo':['bar']} | [{'op':'add','path':'/foo/-','value':['abc','def']}] | {'foo':['bar',['abc','def']]}
            """)
    void applies_the_examples_of_the_RFC(String document, String patch, String result) {
        assertThat(apply(document, patch)).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'a':1} | [] | {'a':1}
            {'a':1} | [{'op':'add','path':'/a','value':2}] | {'a':2}
            {'a':{'b':1}} | [{'op':'copy','from':'/a','path':'/c'},{'op':'replace','path':'/c/b','value':2}] | {'a':{'b':1},'c':{'b':2}}
            {'a':{}} | [{'op':'add','path':'/a/example.com~1x','value':'y'},{'op':'add','path':'/a/m~0n','value':'z'}] | {'a':{'example.com/x':'y','m~n':'z'}}
            {'a':{}} | [{'op':'add','path':'/a/','value':1}] | {'a':{'':1}}
            {'a':[]} | [{'op':'add','path':'/a/0','value':1}] | {'a':[1]}
            {'a':[1,2]} | [{'op':'add','path':'/a/2','value':3}] | {'a':[1,2,3]}
            {'a':{'0':1}} | [{'op':'replace','path':'/a/0','value':2}] | {'a':{'0':2}}
            {'a':[{'b':1}]} | [{'op':'replace','path':'/a/0/b','value':2}] | {'a':[{'b':2}]}
            {'a':1} | [{'op':'replace','path':'','value':{'b':2}}] | {'b':2}
            {'a':1} | [{'op':'test','path':'','value':{'a':1}}] | {'a':1}
            {'a':1} | [{'op':'test','path':'/b','value':null},{'op':'test','path':'/b'}] | {'a':1}
            {'a':null} | [{'op':'test','path':'/a','value':null}] | {'a':null}
            {'a':{'x':1,'y':[1]}} | [{'op':'test','path':'/a','value':{'y':[1.0],'x':1}}] | {'a':{'x':1,'y':[1]}}
            {'a':{}} | [{'op':'replace','path':'/a/b','value':1}] | {'a':{'b':1}}
            {'a':1} | [{'op':'add','path':'/b'}] | {'a':1,'b':null}
            {'a':1} | [{'op':'move','from':'/a','path':'/a'}] | {'a':1}
            """)
    void applies_as_the_API_does(String document, String patch, String result) {
        assertThat(apply(document, patch)).isEqualTo(json(result));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'a':1} | [{'op':'fly','path':'/x'}]
            {'a':1} | [{'path':'/x'}]
            {'a':1} | [{'op':'remove'}]
            {'a':1} | [{'op':1,'path':'/a'}]
            {'a':1} | [{'op':'remove','path':'a'}]
            {'baz':'qux'} | [{'op':'test','path':'/baz','value':'bar'}]
            {'foo':'bar'} | [{'op':'add','path':'/baz/bat','value':'qux'}]
            {'/':9,'~1':10} | [{'op':'test','path':'/~01','value':'10'}]
            {'a':1} | [{'op':'remove','path':'/b'}]
            {'a':1} | [{'op':'add','path':'/a/b','value':1}]
            {'a':1} | [{'op':'replace','path':'/b/c','value':1}]
            {'a':1} | [{'op':'move','from':'/b','path':'/c'}]
            {'a':1} | [{'op':'copy','from':'/b','path':'/c'}]
            {'a':1} | [{'op':'copy','path':'/c'}]
            {'a':{'b':1}} | [{'op':'move','from':'/a','path':'/a/b'}]
            {'a':[1]} | [{'op':'remove','path':'/a/-1'}]
            {'a':[1]} | [{'op':'remove','path':'/a/-'}]
            {'a':[1]} | [{'op':'remove','path':'/a/1'}]
            {'a':[1]} | [{'op':'add','path':'/a/2','value':1}]
            {'a':[1]} | [{'op':'add','path':'/a/01','value':1}]
            {'a':[1]} | [{'op':'add','path':'/a/+0','value':1}]
            {'a':[1]} | [{'op':'add','path':'/a/','value':1}]
            {'a':[1]} | [{'op':'add','path':'/a/99999999999','value':1}]
            {'a':[1]} | [{'op':'replace','path':'/a/1','value':1}]
            {'a':[1]} | [{'op':'test','path':'/a/1','value':null}]
            {'a':1} | [{'op':'test','path':'','value':{}}]
            {'a':1} | [{'op':'add','path':'','value':{}}]
            {'a':1} | [{'op':'remove','path':''}]
            {'a':1} | [{'op':'replace','path':'','value':[]}]
            {'a':1} | [{'op':'replace','path':'','value':null}]
            """)
    void answers_what_does_not_apply_with_422(String document, String patch) {
        ApiException refused = refused(document, patch);
        assertThat(refused.status().code()).isEqualTo(422);
        assertThat(refused.status().reason()).isEqualTo(StatusReason.INVALID);
        assertThat(new String(refused.status().toJson(), UTF_8))
                .contains("\"message\":\"the server rejected our request due to an error in our request\"")
                .contains("\"details\":{}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'op':'add'}", "'x'", "1", "null", "[1]", "[[]]", "[null]"})
    void answers_what_is_no_list_of_operations_with_400(String patch) {
        ApiException refused = refused("{}", patch);
        assertThat(refused.status().code()).isEqualTo(400);
        assertThat(refused.getMessage()).startsWith("error decoding patch: ");
    }

    @Test
    void applies_all_of_a_patch_or_nothing_and_again() {
        var original = (ObjectNode) json("{'a':[1],'b':{'c':1}}");
        JsonNode patch = json("[{'op':'add','path':'/x','value':{}},{'op':'add','path':'/x/y','value':1},"
                + "{'op':'add','path':'/a/-','value':2},{'op':'move','from':'/b','path':'/d'}]");
        JsonNode before = original.deepCopy();
        JsonNode patchBefore = patch.deepCopy();

        ObjectNode first = JsonPatch.apply(original, patch);
        ObjectNode second = JsonPatch.apply(original, patch);

        assertThat(first).isEqualTo(json("{'a':[1,2],'x':{'y':1},'d':{'c':1}}")).isEqualTo(second);
        assertThat(original).isEqualTo(before);
        assertThat(patch).isEqualTo(patchBefore);
        assertThat(refused("{'a':1}", "[{'op':'remove','path':'/a'},{'op':'remove','path':'/b'}]"))
                .isNotNull();
    }

    @Test
    void bounds_the_number_of_operations() {
        String one = "{'op':'test','path':'/a','value':1}";
        String most = one + ("," + one).repeat(JsonPatch.MAX_OPERATIONS - 1);
        assertThat(apply("{'a':1}", "[" + most + "]")).isEqualTo(json("{'a':1}"));

        ApiException refused = refused("{'a':1}", "[" + most + "," + one + "]");
        assertThat(refused.status().code()).isEqualTo(413);
        assertThat(refused.getMessage()).contains("10000, got 10001");
    }

    @Test
    void bounds_what_copies_add() {
        String document = "{'a':['" + "x".repeat(1000) + "']}";
        String doubling = "{'op':'copy','from':'/a','path':'/a/-'}";
        assertThat(refused(document, "[" + doubling + ("," + doubling).repeat(30) + "]")
                        .status()
                        .code())
                .isEqualTo(422);
    }

    @Test
    void bounds_how_deep_operations_nest() {
        String deep = "[".repeat(300) + "]".repeat(300);
        String path = "/0".repeat(299) + "/-";
        var patch = "[{'op':'add','path':'/a','value':" + deep + "},{'op':'add','path':'/a" + path + "','value':%s}]";
        assertThat(apply("{}", patch.formatted("[".repeat(199) + "]".repeat(199))))
                .isNotNull();
        assertThat(refused("{}", patch.formatted("[".repeat(200) + "]".repeat(200))))
                .isNotNull();

        String move = "[{'op':'add','path':'/a','value':" + deep + "},{'op':'add','path':'/b','value':" + deep
                + "},{'op':'move','from':'/b','path':'/a" + path + "'}]";
        assertThat(refused("{}", move)).isNotNull();
    }

    @Test
    void bounds_the_work_of_moving_a_large_value_often() {
        String large = "[" + "1,".repeat(100_000) + "1]";
        String moves = "{'op':'move','from':'/a','path':'/b'},{'op':'move','from':'/b','path':'/a'}";
        assertThat(refused("{'a':" + large + "}", "[" + moves + ("," + moves).repeat(100) + "]"))
                .isNotNull();
    }

    @Test
    void says_inside_why_a_patch_does_not_apply() {
        var failure = catchThrowableOfType(
                PatchFailure.class,
                () -> JsonPatch.perform(Json.object(), json("[{'op':'test','path':'/a','value':1}]")));
        assertThat(failure).hasMessage("testing value /a failed");
    }
}
