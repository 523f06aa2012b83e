/**
 * Resources that all parts of a client share: options, transport, control thread,
 * callback threads, memory, limit and counters.
 * <p>
 * Uses the rooms of limits, calls and contracts; the rooms above it, from connection to
 * reference, receive one {@link io.rpcboot.internal.client.runtime.ClientResources}. The
 * control thread is an event loop: tasks on it must not block.
 */
@NullMarked
package io.rpcboot.internal.client.runtime;

import org.jspecify.annotations.NullMarked;
