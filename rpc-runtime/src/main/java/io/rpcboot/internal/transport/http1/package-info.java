/**
 * HTTP/1.1 as frames of HTTP/2. Requests become streams, one after the other, with bodies
 * within a window; of the frames that a connection sends, HTTP/1.1 has heads and bodies.
 * So a connection has one shape for both versions.
 */
@NullMarked
package io.rpcboot.internal.transport.http1;

import org.jspecify.annotations.NullMarked;
