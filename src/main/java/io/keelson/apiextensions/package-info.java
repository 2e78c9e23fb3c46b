/** Custom resources: what CustomResourceDefinitions make of objects, from their schemas to the versions that they are served in. */
@NullMarked
package io.keelson.apiextensions;

import org.jspecify.annotations.NullMarked;
