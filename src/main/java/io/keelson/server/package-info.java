/** Quarkus wiring. The only place that names implementations. */
@NullMarked
package io.keelson.server;

import org.jspecify.annotations.NullMarked;
