/**
 * Runs the comparison: starts the processes, takes turns, computes the ratios and prints
 * them.
 */
@NullMarked
package io.rpcboot.benchmarks;

import org.jspecify.annotations.NullMarked;
