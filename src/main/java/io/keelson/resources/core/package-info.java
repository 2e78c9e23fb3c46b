/** The kinds of the core group. */
@NullMarked
package io.keelson.resources.core;

import org.jspecify.annotations.NullMarked;
