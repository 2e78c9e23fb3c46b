/** The kinds of the group coordination.k8s.io. */
@NullMarked
package io.keelson.resources.coordination;

import org.jspecify.annotations.NullMarked;
