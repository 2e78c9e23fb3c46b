/** The KvStore of a single process: SQLite with group commit. */
@NullMarked
package io.keelson.storage.embedded;

import org.jspecify.annotations.NullMarked;
