/** The state of the watch cache: a sorted map of objects by storage key whose every version is a snapshot. */
@NullMarked
package io.keelson.cacher.store;

import org.jspecify.annotations.NullMarked;
