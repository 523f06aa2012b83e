/**
 * Messages of gRPC that arrive on streams of HTTP/2: their bounds, their memory and the
 * windows of the peer.
 */
@NullMarked
package io.rpcboot.internal.transport.http2.inbound;

import org.jspecify.annotations.NullMarked;
