/**
 * Native protocol on a connection: frames in both directions, and flow control by bytes:
 * the window that the peer granted, requests for more of it, and the answers to the
 * requests of the peer.
 * <p>
 * Uses the connection and its write path; the native connections of client and server are
 * built on it and are its {@link io.rpcboot.internal.transport.binary.FrameListener}.
 * Windows are totals since the connection began, so repeating an announcement is
 * harmless; a peer that requested memory and does not use it while others wait loses its
 * connection.
 */
@NullMarked
package io.rpcboot.internal.transport.binary;

import org.jspecify.annotations.NullMarked;
