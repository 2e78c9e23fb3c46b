/** What works on objects by itself: informers, work queues, the garbage collector, and the end of namespaces. */
@NullMarked
package io.keelson.controllers;

import org.jspecify.annotations.NullMarked;
