/**
 * Resources that all connections of a server share: options, counters, worker pools,
 * memory of responses and credits for calls. Used by calls, connections and lifecycle; it
 * knows connections only as {@code ActiveConnection}. What all calls in flight may need
 * is bounded here: calls by credits and a limit, bytes by the memory budget, and a call
 * whose response has no memory waits without a thread.
 */
@NullMarked
package io.rpcboot.internal.server.runtime;

import org.jspecify.annotations.NullMarked;
