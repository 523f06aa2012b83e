/**
 * Netty and nothing else.
 */
@NullMarked
package io.rpcboot.benchmarks.raw;

import org.jspecify.annotations.NullMarked;
