/** Storage over bytes: the KvStore seam and the one Storage written on it. */
@NullMarked
package io.keelson.storage.kv;

import org.jspecify.annotations.NullMarked;
