/** What the server serves, as clients discover it: groups, versions, resources and subresources. */
@NullMarked
package io.keelson.endpoints.discovery;

import org.jspecify.annotations.NullMarked;
