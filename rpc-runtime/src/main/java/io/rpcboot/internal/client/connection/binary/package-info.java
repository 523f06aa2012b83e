/**
 * Connection of a client for the native protocol: HELLO and the other control frames,
 * call ids, windows of calls and bytes, bindings of method numbers, replies.
 * <p>
 * Built on {@link io.rpcboot.internal.client.connection.ClientConnection}. The client
 * gives {@link io.rpcboot.internal.client.connection.binary.BinaryClientProtocol} to the
 * pools, which know no class of this room. All state belongs to the event loop of the
 * connection.
 */
@NullMarked
package io.rpcboot.internal.client.connection.binary;

import org.jspecify.annotations.NullMarked;
