/** What the fields of a kind are: types, defaults, list types and merge keys, and the library of those of the built-in kinds. */
@NullMarked
package io.keelson.schema;

import org.jspecify.annotations.NullMarked;
