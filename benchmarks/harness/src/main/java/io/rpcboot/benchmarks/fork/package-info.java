/**
 * What runs in the measured processes: the load and the counters.
 */
@NullMarked
package io.rpcboot.benchmarks.fork;

import org.jspecify.annotations.NullMarked;
