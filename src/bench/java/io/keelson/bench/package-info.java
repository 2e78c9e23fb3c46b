/** Benchmarks: JMH's of the parts ({@link io.keelson.bench.Micro}) and a load on the packaged server ({@link io.keelson.bench.Load}). */
@NullMarked
package io.keelson.bench;

import org.jspecify.annotations.NullMarked;
