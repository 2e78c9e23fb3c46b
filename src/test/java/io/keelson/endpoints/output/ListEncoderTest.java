package io.keelson.endpoints.output;

import static io.keelson.endpoints.TestResources.CONFIG_MAPS;
import static io.keelson.endpoints.TestResources.WIDGETS;
import static io.keelson.endpoints.TestResources.configMap;
import static io.keelson.endpoints.TestResources.object;
import static io.keelson.endpoints.TestResources.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keelson.api.ApiObject;
import io.keelson.api.Json;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import io.keelson.api.WatchEvent;
import io.keelson.api.WatchEventType;
import io.keelson.storage.Bookmarks;
import io.keelson.storage.ListResult;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;

class ListEncoderTest {
    private static final String METADATA = "\"metadata\":{\"resourceVersion\":\"5\",\"name\":\"a\","
            + "\"namespace\":\"default\",\"creationTimestamp\":\"2026-01-02T03:04:05Z\"}";

    @Test
    void anEmptyListHasItems() {
        Chunks chunks = ListEncoder.list(CONFIG_MAPS, ListMeta.at(7), List.of());
        assertThat(text(chunks.next()))
                .isEqualTo("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},"
                        + "\"items\":[]}");
        assertThat(chunks.hasNext()).isFalse();
        assertThatThrownBy(chunks::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void itemsOfBuiltInKindsAreBare() {
        var page = new ListResult(List.of(configMap("a", 5), configMap("b", 6)), 7, "to\"ken", 3L);
        byte[] list =
                ListEncoder.list(CONFIG_MAPS, ListMeta.of(page), page.items()).join();
        assertThat(text(list))
                .startsWith("{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\","
                        + "\"continue\":\"to\\\"ken\",\"remainingItemCount\":3},\"items\":[{" + METADATA
                        + ",\"data\":{\"k\":\"v\"}},{\"metadata\":{\"resourceVersion\":\"6\"")
                .endsWith("}]}");
        assertThat(Json.parse(list).path("items")).hasSize(2);
    }

    @Test
    void theLastPageTellsNothingOfMore() {
        var page = new ListResult(List.of(), 7, "", null);
        assertThat(ListMeta.of(page)).isEqualTo(ListMeta.at(7));
    }

    @Test
    void itemsOfCustomKindsAreWhole() {
        String widget = "{\"apiVersion\":\"example.com/v1beta1\",\"kind\":\"Widget\",\"metadata\":{\"name\":\"w\"}}";
        byte[] list = ListEncoder.list(WIDGETS, ListMeta.at(9), List.of(object(WIDGETS, 8, widget)))
                .join();
        assertThat(text(list))
                .isEqualTo("{\"kind\":\"WidgetList\",\"apiVersion\":\"example.com/v1beta1\",\"metadata\":"
                        + "{\"resourceVersion\":\"9\"},\"items\":[{\"apiVersion\":\"example.com/v1beta1\","
                        + "\"kind\":\"Widget\",\"metadata\":{\"resourceVersion\":\"8\",\"name\":\"w\"}}]}");
    }

    @Test
    void aLongListComesInBoundedChunks() {
        var objects = new ArrayList<ApiObject>();
        for (int i = 0; i < 2_000; i++) {
            objects.add(configMap("name-" + i, i + 1));
        }
        Chunks chunks = ListEncoder.list(CONFIG_MAPS, ListMeta.at(2_000), objects);
        var all = new Pieces();
        int count = 0;
        int biggestItem = 300;
        while (chunks.hasNext()) {
            byte[] chunk = chunks.next();
            assertThat(chunk.length).isLessThan(Chunks.CHUNK_BYTES + biggestItem);
            all.add(chunk);
            count++;
        }
        assertThat(count).isGreaterThan(3);
        var items = Json.parse(all.join()).path("items");
        assertThat(items).hasSize(2_000);
        for (int i = 0; i < 2_000; i++) {
            assertThat(items.get(i).path("metadata").path("name").asText()).isEqualTo("name-" + i);
        }
    }

    @Test
    void metadataAlone() {
        assertThat(text(new PartialMetadata("v1").object(configMap("a", 5))))
                .isEqualTo("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\"," + METADATA + "}");
    }

    @Test
    void aListOfMetadata() {
        byte[] list = new PartialMetadata("v1beta1")
                .list(ListMeta.at(7), List.of(configMap("a", 5)))
                .join();
        assertThat(text(list))
                .isEqualTo(
                        "{\"kind\":\"PartialObjectMetadataList\",\"apiVersion\":\"meta.k8s.io/v1beta1\",\"metadata\":"
                                + "{\"resourceVersion\":\"7\"},\"items\":[{\"kind\":\"PartialObjectMetadata\","
                                + "\"apiVersion\":\"meta.k8s.io/v1beta1\"," + METADATA + "}]}");
    }

    @Test
    void watchEventsOfMetadata() {
        var form = new PartialMetadata("v1");
        ApiObject object = configMap("a", 5);
        assertThat(form.event(WatchEvent.of(WatchEventType.ADDED, object))).isEqualTo(form.object(object));
        assertThat(text(form.event(Bookmarks.initialEventsEnd(9))))
                .isEqualTo("{\"kind\":\"PartialObjectMetadata\",\"apiVersion\":\"meta.k8s.io/v1\",\"metadata\":"
                        + "{\"resourceVersion\":\"9\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}");
        WatchEvent error = WatchEvent.error(new Status(410, StatusReason.EXPIRED, "too old", null));
        assertThat(form.event(error)).isEqualTo(error.json());
    }
}
