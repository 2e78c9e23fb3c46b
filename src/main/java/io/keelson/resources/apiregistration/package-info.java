/** The kinds of the group apiregistration.k8s.io. */
@NullMarked
package io.keelson.resources.apiregistration;

import org.jspecify.annotations.NullMarked;
