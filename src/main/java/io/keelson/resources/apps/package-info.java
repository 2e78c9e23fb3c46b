/** The kinds of the group apps. */
@NullMarked
package io.keelson.resources.apps;

import org.jspecify.annotations.NullMarked;
