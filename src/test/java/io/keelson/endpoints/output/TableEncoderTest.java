package io.keelson.endpoints.output;

import static io.keelson.endpoints.TestResources.CONFIG_MAPS;
import static io.keelson.endpoints.TestResources.configMap;
import static io.keelson.endpoints.TestResources.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keelson.api.ApiException;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.registry.Column;
import io.keelson.registry.ResourceDefinition;
import io.keelson.storage.Bookmarks;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableEncoderTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:47Z");
    private static final String COLUMNS = "[{\"name\":\"Name\",\"type\":\"string\",\"format\":\"name\",\"description\":"
            + "\"The object's name, unique among the objects of its kind in its namespace.\",\"priority\":0},"
            + "{\"name\":\"Data\",\"type\":\"string\",\"format\":\"\",\"description\":\"How many keys it has.\","
            + "\"priority\":0},{\"name\":\"Age\",\"type\":\"string\",\"format\":\"\",\"description\":"
            + "\"How long ago the object was created.\",\"priority\":0}]";
    private static final String PARTIAL = "{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\","
            + "\"metadata\":{\"resourceVersion\":\"5\",\"name\":\"a\",\"namespace\":\"default\","
            + "\"creationTimestamp\":\"2026-01-02T03:04:05Z\"}}";

    private final TableEncoder encoder = new TableEncoder(CONFIG_MAPS, "v1", IncludeObject.METADATA);

    @Test
    void aTableOfOneObject() {
        assertThat(text(encoder.table(configMap("a", 5), NOW)))
                .isEqualTo(
                        "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"5\"},"
                                + "\"columnDefinitions\":" + COLUMNS
                                + ",\"rows\":[{\"cells\":[\"a\",1,\"42s\"],\"object\":"
                                + PARTIAL + "}]}");
    }

    @Test
    void aTableOfAPage() {
        byte[] table = encoder.table(new ListMeta(9, "next", 2), List.of(configMap("a", 5), configMap("b", 6)), NOW)
                .join();
        assertThat(Json.parse(table).path("metadata"))
                .hasToString("{\"resourceVersion\":\"9\",\"continue\":\"next\",\"remainingItemCount\":2}");
        assertThat(Json.parse(table).path("rows")).hasSize(2);
        assertThat(Json.parse(table).at("/rows/1/object/metadata/name").asText())
                .isEqualTo("b");
    }

    @Test
    void anEmptyTableHasColumnsAndRows() {
        var table = Json.parse(encoder.table(ListMeta.at(9), List.of(), NOW).join());
        assertThat(table.path("columnDefinitions")).hasSize(3);
        assertThat(table.path("rows").isArray()).isTrue();
        assertThat(table.path("rows")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"NONE | null", "OBJECT | ConfigMap", "METADATA | PartialObjectMetadata"})
    void rowsCarryWhatIsAskedFor(IncludeObject include, String kind) {
        var table = Json.parse(new TableEncoder(CONFIG_MAPS, "v1", include).table(configMap("a", 5), NOW));
        var object = table.at("/rows/0/object");
        assertThat(object.isNull() ? "null" : object.path("kind").asText()).isEqualTo(kind);
        assertThat(object.has("data")).isEqualTo(include == IncludeObject.OBJECT);
    }

    @Test
    void theOlderVersionIsUsedThroughout() {
        String table =
                text(new TableEncoder(CONFIG_MAPS, "v1beta1", IncludeObject.METADATA).table(configMap("a", 5), NOW));
        assertThat(table).contains("\"apiVersion\":\"meta.k8s.io/v1beta1\"").doesNotContain("meta.k8s.io/v1\"");
    }

    @Test
    void onlyTheFirstEventOfAWatchDefinesTheColumns() {
        WatchEvent event = WatchEvent.of(WatchEventType.ADDED, configMap("a", 5));
        assertThat(encoder.event(event, NOW, true)).isEqualTo(encoder.table(configMap("a", 5), NOW));
        assertThat(text(encoder.event(event, NOW, false)))
                .isEqualTo(
                        "{\"kind\":\"Table\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":{\"resourceVersion\":\"5\"},"
                                + "\"columnDefinitions\":null,\"rows\":[{\"cells\":[\"a\",1,\"42s\"],\"object\":"
                                + PARTIAL
                                + "}]}");
    }

    @Test
    void aBookmarkIsARowWithItsAnnotations() {
        var table = Json.parse(encoder.event(Bookmarks.initialEventsEnd(9), NOW, false));
        assertThat(table.at("/metadata/resourceVersion").asText()).isEqualTo("9");
        assertThat(table.at("/rows/0/cells").toString()).isEqualTo("[\"\",0,\"<unknown>\"]");
        assertThat(table.at("/rows/0/object").toString())
                .isEqualTo("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
                        + "{\"resourceVersion\":\"9\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
        var whole = Json.parse(
                new TableEncoder(CONFIG_MAPS, "v1", IncludeObject.OBJECT).event(Bookmarks.progress(9), NOW, false));
        assertThat(whole.at("/rows/0/object/kind").asText()).isEqualTo("ConfigMap");
    }

    @Test
    void anErrorStaysAStatus() {
        WatchEvent error = WatchEvent.error(new Status(410, StatusReason.EXPIRED, "too old", null));
        assertThat(encoder.event(error, NOW, false)).isEqualTo(error.json());
    }

    @Test
    void cellsKeepTheirTypes() {
        var resource = ResourceDefinition.of("", "v1", "ConfigMap", "configmaps")
                .allColumns(
                        Column.wide("A", "number", "", (object, now) -> 1.5),
                        Column.of("B", "boolean", "", (object, now) -> true),
                        Column.of("C", "string", "", (object, now) -> null),
                        Column.of("D", "string", "", (object, now) -> "\u00e9\n\""))
                .build();
        var table = Json.parse(new TableEncoder(resource, "v1", IncludeObject.NONE).table(configMap("a", 5), NOW));
        assertThat(table.at("/rows/0/cells").toString()).isEqualTo("[1.5,true,null,\"\u00e9\\n\\\"\"]");
        assertThat(table.at("/columnDefinitions/0/priority").asInt()).isEqualTo(1);
    }

    @Test
    void readsTheParameter() {
        assertThat(IncludeObject.parse(null)).isEqualTo(IncludeObject.METADATA);
        assertThat(IncludeObject.parse("None")).isEqualTo(IncludeObject.NONE);
        assertThat(IncludeObject.parse("Object")).isEqualTo(IncludeObject.OBJECT);
        assertThat(catchThrowableOfType(ApiException.class, () -> IncludeObject.parse("Half"))
                        .status()
                        .code())
                .isEqualTo(400);
    }
}
