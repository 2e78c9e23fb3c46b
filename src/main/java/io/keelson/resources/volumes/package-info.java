/** The kinds of the group storage.k8s.io: what volumes are made by and attached with. */
@NullMarked
package io.keelson.resources.volumes;

import org.jspecify.annotations.NullMarked;
