/** Structural schemas: how they are read, and how objects are pruned, defaulted and judged by them. */
@NullMarked
package io.keelson.apiextensions.structural;

import org.jspecify.annotations.NullMarked;
