/** Verb logic over any Storage: the registry Store, strategies, hooks, preconditions and finalizers. */
@NullMarked
package io.keelson.registry;

import org.jspecify.annotations.NullMarked;
