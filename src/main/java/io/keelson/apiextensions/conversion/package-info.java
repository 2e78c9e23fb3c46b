/** How the objects of a custom resource get from the version that they are stored in to the one that is asked for, and back. */
@NullMarked
package io.keelson.apiextensions.conversion;

import org.jspecify.annotations.NullMarked;
