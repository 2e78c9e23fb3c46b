/** The kinds of the group discovery.k8s.io. */
@NullMarked
package io.keelson.resources.discovery;

import org.jspecify.annotations.NullMarked;
