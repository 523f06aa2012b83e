/**
 * Sample of tracing: a shop of four applications, and the trace of an order through all
 * of them.
 */
@NullMarked
package io.rpcboot.samples.tracing;

import org.jspecify.annotations.NullMarked;
