/** How a patch body changes an object: JSON patch, merge patch and strategic merge patch. */
@NullMarked
package io.keelson.patch;

import org.jspecify.annotations.NullMarked;
