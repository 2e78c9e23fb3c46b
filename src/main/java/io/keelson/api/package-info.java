/** The object model: metadata, selectors, kinds, watch events, Status and the JSON codec. No I/O. */
@NullMarked
package io.keelson.api;

import org.jspecify.annotations.NullMarked;
