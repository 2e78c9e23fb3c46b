/** The kinds of the group resource.k8s.io: devices, and what asks for them. */
@NullMarked
package io.keelson.resources.devices;

import org.jspecify.annotations.NullMarked;
