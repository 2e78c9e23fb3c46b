/** OpenAPI documents, versions 2 and 3, made from what the server serves and from the schemas of the built-in kinds. */
@NullMarked
package io.keelson.endpoints.openapi;

import org.jspecify.annotations.NullMarked;
