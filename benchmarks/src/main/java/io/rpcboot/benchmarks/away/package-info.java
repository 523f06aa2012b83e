/**
 * Calls while no instance is there.
 */
@NullMarked
package io.rpcboot.benchmarks.away;

import org.jspecify.annotations.NullMarked;
