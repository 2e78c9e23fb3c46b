package io.keelson.endpoints;

import io.keelson.registry.RequestContext;
import io.keelson.registry.RestStorage;

/**
 * A request to a resource: what its path means, what serves it, and the exchange.
 *
 * @param storage what serves the path
 */
record Request(Exchange exchange, RequestInfo info, RestStorage storage, RequestContext context) {
    QueryParameters query() {
        return exchange.query();
    }
}
