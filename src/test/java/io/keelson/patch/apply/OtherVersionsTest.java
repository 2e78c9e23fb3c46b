package io.keelson.patch.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keelson.api.ApiException;
import io.keelson.api.GroupVersionKind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Managers that write in two versions of a kind: {@code host} of v1 is {@code hostname} in v2. */
class OtherVersionsTest {
    private static final String V1 = "example.com/v1";
    private static final String V2 = "example.com/v2";

    private record Version(String apiVersion) implements OtherVersions.Version {
        @Override
        public ObjectType type() {
            return OtherVersionsTest.type(apiVersion);
        }

        @Override
        public ObjectNode convert(ObjectNode object) {
            return converted(object, apiVersion);
        }
    }

    private static ObjectType type(String apiVersion) {
        var kind = new GroupVersionKind("example.com", apiVersion.substring(apiVersion.indexOf('/') + 1), "Site");
        return new ObjectType(kind, null, false, other -> other.equals(apiVersion) ? null : new Version(other));
    }

    private static ObjectNode converted(ObjectNode object, String apiVersion) {
        ObjectNode converted = object.deepCopy().put("apiVersion", apiVersion);
        boolean first = apiVersion.equals(V1);
        if (converted.path("spec") instanceof ObjectNode spec && spec.has(first ? "hostname" : "host")) {
            spec.set(first ? "host" : "hostname", spec.remove(first ? "hostname" : "host"));
        }
        return converted;
    }

    private static ObjectNode apply(ObjectNode old, String apiVersion, String manager, String spec) {
        return apply(old, apiVersion, manager, spec, false);
    }

    private static ObjectNode apply(ObjectNode old, String apiVersion, String manager, String spec, boolean force) {
        ObjectNode configuration = ApplyFixture.json(
                "{'apiVersion':'" + apiVersion + "','kind':'Site','metadata':{'name':'a'},'spec':" + spec + "}");
        ObjectNode present = old == null ? null : converted(old, apiVersion);
        return new FieldManager(type(apiVersion), Scope.WHOLE, object -> {})
                .apply(present, configuration, writer(apiVersion, manager), force);
    }

    private static Writer writer(String apiVersion, String manager) {
        return new Writer(manager, apiVersion, "", Instant.EPOCH);
    }

    private static ObjectNode update(ObjectNode old, String apiVersion, String manager, String field, String value) {
        ObjectNode present = converted(old, apiVersion);
        ObjectNode object = present.deepCopy();
        ((ObjectNode) object.path("spec")).put(field, value);
        new FieldManager(type(apiVersion), Scope.WHOLE, tree -> {})
                .update(present, object, writer(apiVersion, manager));
        return object;
    }

    private static String fields(ObjectNode object, String manager) {
        for (JsonNode entry : object.at("/metadata/managedFields")) {
            if (entry.path("manager").asText().equals(manager)) {
                ObjectNode fields = entry.at("/fieldsV1/f:spec").deepCopy();
                fields.remove(FieldSets.SELF);
                return entry.path("apiVersion").asText() + fields;
            }
        }
        return "";
    }

    @Test
    void an_update_in_another_version_takes_what_it_changes() {
        ObjectNode applied = apply(null, V1, "one", "{'host':'a','size':1}");
        ObjectNode updated = update(applied, V2, "two", "hostname", "b");
        assertThat(fields(updated, "one")).isEqualTo(V1 + "{\"f:size\":{}}");
        assertThat(fields(updated, "two")).isEqualTo(V2 + "{\"f:hostname\":{}}");
        ObjectNode same = update(applied, V2, "two", "hostname", "a");
        assertThat(fields(same, "one")).isEqualTo(V1 + "{\"f:host\":{},\"f:size\":{}}");
    }

    @Test
    void conflicts_are_found_across_versions() {
        ObjectNode applied = apply(null, V1, "one", "{'host':'a'}");
        assertThatThrownBy(() -> apply(applied, V2, "two", "{'hostname':'b'}"))
                .isInstanceOf(ApiException.class)
                .hasMessageContaining("conflict with \"one\": .spec.host");
        ObjectNode shared = apply(applied, V2, "two", "{'hostname':'a'}");
        assertThat(fields(shared, "one")).isEqualTo(V1 + "{\"f:host\":{}}");
        ObjectNode forced = apply(applied, V2, "two", "{'hostname':'b'}", true);
        assertThat(fields(forced, "one")).isEqualTo(V1 + "{}");
        assertThat(forced.at("/spec/hostname").asText()).isEqualTo("b");
    }

    @Test
    void what_was_applied_in_another_version_is_given_up() {
        ObjectNode applied = apply(null, V1, "one", "{'host':'a','size':1}");
        ObjectNode again = apply(applied, V2, "one", "{'size':1}");
        assertThat(again.path("spec").toString()).isEqualTo("{\"size\":1}");
        ObjectNode kept = apply(applied, V2, "one", "{'hostname':'a'}");
        assertThat(kept.path("spec").toString()).isEqualTo("{\"hostname\":\"a\"}");
        assertThat(fields(kept, "one")).isEqualTo(V2 + "{\"f:hostname\":{}}");
    }

    @Test
    void what_another_applied_in_another_version_stays() {
        ObjectNode shared = apply(apply(null, V1, "one", "{'host':'a'}"), V2, "two", "{'hostname':'a'}");
        ObjectNode left = apply(shared, V2, "two", "{'size':1}");
        assertThat(left.at("/spec/hostname").asText()).isEqualTo("a");
    }
}
