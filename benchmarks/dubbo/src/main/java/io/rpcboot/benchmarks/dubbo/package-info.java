/**
 * Dubbo behind the measured calls.
 */
@NullMarked
package io.rpcboot.benchmarks.dubbo;

import org.jspecify.annotations.NullMarked;
