/**
 * Flow control by bytes: the window that the peer granted, requests for more of it, and
 * the answers to the requests of the peer.
 * <p>
 * Uses the write path and the memory budget; the connections of client and server are
 * built on it. Windows are totals since the connection began, so repeating an
 * announcement is harmless; a peer that requested memory and does not use it while others
 * wait loses its connection.
 */
@NullMarked
package io.rpcboot.internal.transport.flow;

import org.jspecify.annotations.NullMarked;
