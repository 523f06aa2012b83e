/**
 * Relay of HTTP/2: chooses the route of a request, rewrites its header fields, and joins
 * the stream of a client with a stream to a server. Bodies go from one to the other by
 * {@link io.rpcboot.internal.transport.http2.Passage}. Uses references of a client as
 * calls do; knows no messages.
 */
@NullMarked
package io.rpcboot.internal.relay.http2;

import org.jspecify.annotations.NullMarked;
