/**
 * Connections to one endpoint: opening, backoff, replacement, detection of frozen
 * servers.
 * <p>
 * Owns {@link io.rpcboot.internal.client.connection.ClientConnection} objects; routing
 * and references use pools and see their state. All state is confined to the control
 * thread, to which events of connections are passed on.
 * <p>
 * A lost connection is always opened again while a reference uses the pool: an attempt
 * that cannot be scheduled stays owed and is made by the next check.
 */
@NullMarked
package io.rpcboot.internal.client.pool;

import org.jspecify.annotations.NullMarked;
