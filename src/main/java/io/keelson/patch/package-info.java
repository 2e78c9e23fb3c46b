/** How a patch body changes an object: JSON patch and merge patch. */
@NullMarked
package io.keelson.patch;

import org.jspecify.annotations.NullMarked;
