/**
 * The parts of the transport, each alone.
 */
@NullMarked
package io.rpcboot.benchmarks.transport;

import org.jspecify.annotations.NullMarked;
