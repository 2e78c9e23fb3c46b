/** The kinds of the group networking.k8s.io, from ingresses to service address ranges. */
@NullMarked
package io.keelson.resources.networking;

import org.jspecify.annotations.NullMarked;
