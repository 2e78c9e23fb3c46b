/** The kinds of the group rbac.authorization.k8s.io. */
@NullMarked
package io.keelson.resources.rbac;

import org.jspecify.annotations.NullMarked;
