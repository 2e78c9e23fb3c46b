/** The kinds of the group scheduling.k8s.io. */
@NullMarked
package io.keelson.resources.scheduling;

import org.jspecify.annotations.NullMarked;
