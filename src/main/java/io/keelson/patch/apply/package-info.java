/** Who owns which field of an object, and how an applied configuration is merged into it. */
@NullMarked
package io.keelson.patch.apply;

import org.jspecify.annotations.NullMarked;
