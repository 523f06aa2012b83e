/**
 * What is called, the same for every system.
 */
@NullMarked
package io.rpcboot.benchmarks.workload;

import org.jspecify.annotations.NullMarked;
