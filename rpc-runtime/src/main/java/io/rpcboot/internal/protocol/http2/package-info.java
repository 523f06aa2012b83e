/**
 * Encodes and decodes HTTP/2 (RFC 9113) and HPACK (RFC 7541): frames to events and back,
 * for both sides of a connection. A connection has one
 * {@link io.rpcboot.internal.protocol.http2.Http2FrameReader}, which reports to its
 * {@link io.rpcboot.internal.protocol.http2.Http2FrameListener}, and one
 * {@link io.rpcboot.internal.protocol.http2.Http2FrameWriter}. Streams, flow control and
 * the answers to events are the connection's; the reader checks everything that a frame
 * and its place between other frames tell. Neither is thread-safe: event loop only. Every
 * length of a peer is checked before it is used.
 */
@NullMarked
package io.rpcboot.internal.protocol.http2;

import org.jspecify.annotations.NullMarked;
