/** The watch cache: Cacher, ring, watchers, reflector. */
@NullMarked
package io.keelson.cacher;

import org.jspecify.annotations.NullMarked;
