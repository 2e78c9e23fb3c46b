/** The kinds of the group policy. */
@NullMarked
package io.keelson.resources.policy;

import org.jspecify.annotations.NullMarked;
