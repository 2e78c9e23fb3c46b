/** Rules of custom resources in the Common Expression Language: how they are compiled, what they may call and how they judge. */
@NullMarked
package io.keelson.apiextensions.cel;

import org.jspecify.annotations.NullMarked;
