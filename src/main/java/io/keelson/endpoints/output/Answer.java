package io.keelson.endpoints.output;

/**
 * What the server and a client agreed on for the answer to a request.
 *
 * @param metaVersion the version of {@code meta.k8s.io} that {@code form} is written in: {@code v1} or {@code v1beta1}
 * @param pretty whether the Accept header asked for indentation
 */
public record Answer(Encoding encoding, Form form, String metaVersion, boolean pretty) {
    /** What a client that does not say gets. */
    public static final Answer JSON = new Answer(Encoding.JSON, Form.PLAIN, "v1", false);

    /** The Content-Type of the answer. */
    public String contentType() {
        return encoding.mediaType();
    }
}
