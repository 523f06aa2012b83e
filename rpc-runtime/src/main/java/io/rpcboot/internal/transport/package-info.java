/**
 * Sockets of a client or a server: the transport with its event loops, connecting,
 * listening, socket options, connection limits and gauges.
 * <p>
 * Uses all rooms of the transport; client and server create one transport each. Only this
 * room and those below it touch Netty channels, so the rest of the engine can be tested
 * without sockets. A failure costs one connection; the end of an event loop or of a port
 * that was not closed shows in the health of the engine.
 */
@NullMarked
package io.rpcboot.internal.transport;

import org.jspecify.annotations.NullMarked;
