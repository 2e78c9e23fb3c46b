package io.keelson.endpoints;

import io.keelson.api.Json;
import io.keelson.endpoints.output.Answer;
import io.keelson.endpoints.output.Chunks;
import io.keelson.endpoints.output.Encoding;
import io.keelson.endpoints.output.IncludeObject;
import io.keelson.endpoints.output.ListEncoder;
import io.keelson.endpoints.output.ListMeta;
import io.keelson.endpoints.output.MediaTypes;
import io.keelson.endpoints.output.PartialMetadata;
import io.keelson.endpoints.output.Purpose;
import io.keelson.endpoints.output.TableEncoder;
import io.keelson.registry.ResourceDefinition;
import io.keelson.registry.RestStorage;
import io.keelson.storage.ListOptions;
import io.keelson.storage.ListResult;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** GET of a collection: the objects' bytes joined, streamed as fast as the client takes them. */
final class ListVerb {
    private final InstantSource clock;
    private final RandomGenerator random;

    ListVerb(InstantSource clock, RandomGenerator random) {
        this.clock = clock;
        this.random = random;
    }

    void serve(Request request, RestStorage.Lister storage) {
        Answer answer = MediaTypes.negotiate(request.exchange().header("Accept"), Purpose.LIST);
        ListOptions options = RequestOptions.list(request.query(), false, random);
        send(request, answer, storage.list(request.context(), options));
    }

    void send(Request request, Answer answer, ListResult page) {
        ResourceDefinition definition = request.storage().definition();
        ListMeta meta = ListMeta.of(page);
        Chunks pieces = switch (answer.form()) {
            case TABLE ->
                new TableEncoder(
                                definition,
                                answer.metaVersion(),
                                IncludeObject.parse(request.query().first("includeObject")))
                        .table(meta, page.items(), clock.instant());
            case PARTIAL_METADATA, PARTIAL_METADATA_LIST ->
                new PartialMetadata(answer.metaVersion()).list(meta, page.items());
            case PLAIN -> ListEncoder.list(definition, meta, page.items());
        };
        Exchange exchange = request.exchange();
        boolean pretty = request.query().first("pretty") != null && exchange.pretty();
        if (answer.encoding() == Encoding.YAML || pretty) {
            // These forms need the tree; whoever asks for them reads, and reads little.
            exchange.sendTree(200, answer.encoding(), Json.parseTrusted(pieces.join()));
        } else {
            exchange.sendPieces(200, answer.encoding().mediaType(), pieces);
        }
    }
}
