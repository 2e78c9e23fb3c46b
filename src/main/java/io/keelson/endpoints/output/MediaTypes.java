package io.keelson.endpoints.output;

import io.keelson.api.ApiException;
import io.keelson.api.Status;
import io.keelson.api.StatusReason;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Content negotiation: what an answer looks like, and what a body is. Stateless. */
public final class MediaTypes {
    private static final String META_GROUP = "meta.k8s.io";
    private static final List<String> META_VERSIONS = List.of("v1", "v1beta1");
    private static final List<Encoding> BODIES = List.of(Encoding.JSON, Encoding.YAML, Encoding.PROTOBUF);

    private MediaTypes() {}

    /**
     * Chooses what to answer. The client's preference decides, first by quality, then by the order in its header; a range
     * that asks for a form that there is not is passed over.
     *
     * @param accept the Accept header; null and blank ask for JSON
     * @throws ApiException 406 with the list of what there is, where the client wants none of it
     */
    public static Answer negotiate(@Nullable String accept, Purpose purpose) {
        if (accept == null || accept.isBlank()) {
            return Answer.JSON;
        }
        for (MediaType range : MediaType.parseAccept(accept)) {
            Answer answer = answer(range, purpose);
            if (answer != null) {
                return answer;
            }
        }
        throw notAcceptable(available(purpose));
    }

    private static @Nullable Answer answer(MediaType range, Purpose purpose) {
        String stream = range.parameter("stream");
        if (!stream.isEmpty() && !stream.equals("watch")) {
            return null;
        }
        Form form = form(range, purpose);
        if (form == null) {
            return null;
        }
        for (Encoding encoding : purpose.encodings()) {
            if (range.covers(encoding.mediaType())) {
                String version = form == Form.PLAIN ? "v1" : range.parameter("v");
                return new Answer(
                        encoding, form, version, range.parameter("pretty").equals("1"));
            }
        }
        return null;
    }

    private static @Nullable Form form(MediaType range, Purpose purpose) {
        String as = range.parameter("as");
        if (as.isEmpty()) {
            return Form.PLAIN;
        }
        if (!range.parameter("g").equals(META_GROUP) || !META_VERSIONS.contains(range.parameter("v"))) {
            return null;
        }
        for (Form form : purpose.forms()) {
            if (form.kind().equals(as)) {
                return form;
            }
        }
        return null;
    }

    private static List<String> available(Purpose purpose) {
        return purpose.encodings().stream().map(Encoding::mediaType).toList();
    }

    /** The refusal of a client that accepts none of what there is. */
    public static ApiException notAcceptable(List<String> available) {
        return ApiException.of(
                StatusReason.NOT_ACCEPTABLE,
                "406: Not Acceptable\n\nAvailable representations: " + String.join(", ", available),
                Status.Details.causes(List.of()));
    }

    /**
     * How the body of a create, a replacement or a deletion is to be read.
     *
     * @param contentType the Content-Type header; null and blank mean JSON
     * @throws ApiException 415 with the list of what is understood
     */
    public static Encoding body(@Nullable String contentType) {
        if (contentType == null || contentType.isBlank()) {
            return Encoding.JSON;
        }
        MediaType type = MediaType.parse(contentType);
        for (Encoding encoding : BODIES) {
            if (type != null && type.essence().equals(encoding.mediaType())) {
                return encoding;
            }
        }
        throw ApiException.of(
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the body of the request is in an unknown format - accepted media types are: "
                        + BODIES.stream().map(Encoding::mediaType).collect(Collectors.joining(", ")));
    }

    /**
     * What kind of patch a body is.
     *
     * @param contentType the Content-Type header
     * @throws ApiException 415 with the list of what is understood
     */
    public static PatchType patch(@Nullable String contentType) {
        MediaType type = contentType == null ? null : MediaType.parse(contentType);
        for (PatchType patch : PatchType.values()) {
            if (type != null && type.essence().equals(patch.mediaType())) {
                return patch;
            }
        }
        throw ApiException.of(
                StatusReason.UNSUPPORTED_MEDIA_TYPE,
                "the patch is in an unknown format - accepted media types are: "
                        + Arrays.stream(PatchType.values())
                                .map(PatchType::mediaType)
                                .collect(Collectors.joining(", ")),
                Status.Details.causes(List.of()));
    }
}
