/** The KvStore of an etcd cluster. */
@NullMarked
package io.keelson.storage.etcd;

import org.jspecify.annotations.NullMarked;
