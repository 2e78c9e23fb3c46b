/** HTTP: request info, verbs, Status, discovery, OpenAPI and the framings of a watch. */
@NullMarked
package io.keelson.endpoints;

import org.jspecify.annotations.NullMarked;
