package io.keelson.apiextensions.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import io.keelson.api.ApiObject;
import io.keelson.api.ObjectDecoder;
import io.keelson.api.SelectableFields;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConvertedObjectsTest {
    private static final ObjectDecoder DECODER = new ObjectDecoder(SelectableFields.of(List.of()));
    private static final long EACH = ConvertedObjects.COST_BYTES + site(10).json().length;

    private final ConvertedObjects objects = new ConvertedObjects(4 * EACH);
    private final ConvertedObjects.Section some = objects.section();
    private final ConvertedObjects.Section others = objects.section();

    private static ApiObject site(int number) {
        return DECODER.decode(
                ("{\"apiVersion\":\"example.com/v1\",\"kind\":\"Site\",\"metadata\":{\"name\":\"s" + number
                                + "\",\"uid\":\"u" + number + "\"}}")
                        .getBytes(StandardCharsets.UTF_8),
                number);
    }

    @Test
    void versions_find_their_own_objects_only() {
        some.put(site(11), site(12));
        assertThat(some.get(site(11))).isNotNull();
        assertThat(others.get(site(11))).isNull();
        assertThat(some.get(site(11).withResourceVersion(12))).isNull();
    }

    @Test
    void one_bound_holds_for_all_and_what_was_used_the_longest_ago_goes() {
        for (int i = 11; i < 15; i++) {
            some.put(site(i), site(i));
        }
        assertThat(objects.bytes()).isEqualTo(4 * EACH);
        assertThat(some.get(site(11))).isNotNull();
        others.put(site(15), site(15));
        others.put(site(16), site(16));
        assertThat(objects.bytes()).isEqualTo(4 * EACH);
        assertThat(some.get(site(11))).isNotNull();
        assertThat(some.get(site(12))).isNull();
        assertThat(some.get(site(13))).isNull();
        assertThat(others.get(site(15))).isNotNull();
    }

    @Test
    void an_object_is_counted_once_however_often_it_comes() {
        some.put(site(11), site(11));
        some.put(site(11), site(11));
        assertThat(objects.bytes()).isEqualTo(EACH);
    }

    @Test
    void a_version_that_goes_leaves_those_of_others() {
        some.put(site(11), site(11));
        others.put(site(11), site(11));
        some.clear();
        assertThat(objects.bytes()).isEqualTo(EACH);
        assertThat(others.get(site(11))).isNotNull();
    }
}
