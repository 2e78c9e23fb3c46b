/** The kinds of the group events.k8s.io: the events of the core group in a newer form. */
@NullMarked
package io.keelson.resources.events;

import org.jspecify.annotations.NullMarked;
