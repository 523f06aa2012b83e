/**
 * TLS of a connection: the context of a side, and the end of a handshake.
 * <p>
 * Uses Netty's handler for TLS, which stands before all others of a connection, so that
 * write queue and protocols do not know of it.
 */
@NullMarked
package io.rpcboot.internal.transport.tls;

import org.jspecify.annotations.NullMarked;
