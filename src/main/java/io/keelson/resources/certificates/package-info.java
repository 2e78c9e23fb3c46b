/** The kinds of the group certificates.k8s.io. */
@NullMarked
package io.keelson.resources.certificates;

import org.jspecify.annotations.NullMarked;
