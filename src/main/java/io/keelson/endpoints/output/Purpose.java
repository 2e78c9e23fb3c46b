package io.keelson.endpoints.output;

import java.util.List;

/** What kind of answer a request is after, which decides what there is to choose from. */
public enum Purpose {
    /** One object. */
    OBJECT,
    /** A list of objects. */
    LIST,
    /** A stream of events. */
    WATCH,
    /** A document that has only its own form, such as a Status or a discovery document. */
    DOCUMENT;

    /** The encodings to choose from, the one for those who take any first. */
    public List<Encoding> encodings() {
        return switch (this) {
            case OBJECT, LIST, DOCUMENT -> List.of(Encoding.JSON, Encoding.YAML);
            case WATCH -> List.of(Encoding.JSON, Encoding.EVENT_STREAM);
        };
    }

    /** The forms there are beside the plain one. */
    public List<Form> forms() {
        return switch (this) {
            case OBJECT, WATCH -> List.of(Form.TABLE, Form.PARTIAL_METADATA);
            case LIST -> List.of(Form.TABLE, Form.PARTIAL_METADATA_LIST);
            case DOCUMENT -> List.of();
        };
    }
}
