/**
 * What it costs to record a call.
 */
@NullMarked
package io.rpcboot.benchmarks.metrics;

import org.jspecify.annotations.NullMarked;
