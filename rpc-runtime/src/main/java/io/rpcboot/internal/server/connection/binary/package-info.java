/**
 * Connection of a client at the server for the native protocol: frames to calls, calls to
 * responses, bindings of method numbers, flow control. Uses all other rooms of the server
 * but {@code lifecycle}; {@code RpcServer} creates the connections. All state belongs to
 * the event loop. A client can neither choose how much memory or CPU the server spends
 * before a call runs nor how long it does: everything it sends is granted, counted or
 * limited in time.
 */
@NullMarked
package io.rpcboot.internal.server.connection.binary;

import org.jspecify.annotations.NullMarked;
