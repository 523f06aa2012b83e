/**
 * Measures how long an application with many services and references takes to start, and
 * what it keeps on the heap.
 */
@NullMarked
package io.rpcboot.benchmarks.startup;

import org.jspecify.annotations.NullMarked;
