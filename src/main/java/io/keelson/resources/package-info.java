/** The built-in kinds: their strategies, columns and selectable fields. */
@NullMarked
package io.keelson.resources;

import org.jspecify.annotations.NullMarked;
