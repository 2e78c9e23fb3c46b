/** The kinds of the group autoscaling, in both of its versions. */
@NullMarked
package io.keelson.resources.autoscaling;

import org.jspecify.annotations.NullMarked;
