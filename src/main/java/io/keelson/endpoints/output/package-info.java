/** The forms that answers take: media types, list and table encoding, metadata alone, cached documents. */
@NullMarked
package io.keelson.endpoints.output;

import org.jspecify.annotations.NullMarked;
