/**
 * Messages on streams of HTTP/2: the framing that finds their bounds, and the memory of
 * those that arrive.
 */
@NullMarked
package io.rpcboot.internal.transport.http2.message;

import org.jspecify.annotations.NullMarked;
