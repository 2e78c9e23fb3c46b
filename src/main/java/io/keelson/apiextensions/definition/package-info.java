/** CustomResourceDefinitions themselves: what they say, the rules that they keep and how they get their names. */
@NullMarked
package io.keelson.apiextensions.definition;

import org.jspecify.annotations.NullMarked;
