/** The kinds of the group batch. */
@NullMarked
package io.keelson.resources.batch;

import org.jspecify.annotations.NullMarked;
