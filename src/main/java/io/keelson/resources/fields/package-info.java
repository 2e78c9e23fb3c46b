/** What the kinds share: access to trees, defaulting, quantities, selectors, checks with field paths, table cells. */
@NullMarked
package io.keelson.resources.fields;

import org.jspecify.annotations.NullMarked;
