/** Bodies in Kubernetes' protobuf: the messages of the built-in kinds, and the trees that they stand for. */
@NullMarked
package io.keelson.endpoints.protobuf;

import org.jspecify.annotations.NullMarked;
