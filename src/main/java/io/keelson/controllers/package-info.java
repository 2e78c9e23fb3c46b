/** What works on objects by itself: followers of resources, work queues, and the end of namespaces. */
@NullMarked
package io.keelson.controllers;

import org.jspecify.annotations.NullMarked;
