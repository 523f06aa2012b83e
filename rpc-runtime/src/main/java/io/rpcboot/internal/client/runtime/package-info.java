/**
 * Resources that all parts of a client share: options, event loops, timers, counters and
 * gauges.
 */
@NullMarked
package io.rpcboot.internal.client.runtime;

import org.jspecify.annotations.NullMarked;
