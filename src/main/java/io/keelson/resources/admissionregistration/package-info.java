/** The kinds of the group admissionregistration.k8s.io. They are stored; the server does not go by them. */
@NullMarked
package io.keelson.resources.admissionregistration;

import org.jspecify.annotations.NullMarked;
