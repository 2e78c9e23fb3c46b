/** The kinds of the group flowcontrol.apiserver.k8s.io. They are stored; the server does not go by them. */
@NullMarked
package io.keelson.resources.flowcontrol;

import org.jspecify.annotations.NullMarked;
