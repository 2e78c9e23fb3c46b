/** The storage contract: Storage, Versioner, Preconditions, options and errors. No I/O. */
@NullMarked
package io.keelson.storage;

import org.jspecify.annotations.NullMarked;
