package io.keelson.endpoints.openapi;

import java.util.List;

/**
 * A path with its parameters and operations.
 *
 * @param parameters that every operation has
 */
record PathItem(String path, List<Parameter> parameters, List<Operation> operations) {}
