/**
 * What a service keeps of its throughput while another one of the same server hangs.
 */
@NullMarked
package io.rpcboot.benchmarks.hanging;

import org.jspecify.annotations.NullMarked;
