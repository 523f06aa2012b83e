/**
 * SOFARPC behind the measured calls.
 */
@NullMarked
package io.rpcboot.benchmarks.sofarpc;

import org.jspecify.annotations.NullMarked;
