/** The kinds of the group node.k8s.io. */
@NullMarked
package io.keelson.resources.node;

import org.jspecify.annotations.NullMarked;
