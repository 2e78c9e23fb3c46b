/** The pod spec, alone and in templates: its defaults, its rules, its table. */
@NullMarked
package io.keelson.resources.pods;

import org.jspecify.annotations.NullMarked;
