/** The reviews of authorization.k8s.io and authentication.k8s.io: questions that are answered and not kept. */
@NullMarked
package io.keelson.resources.authorization;

import org.jspecify.annotations.NullMarked;
