/** Limits of what a client may do on a connection of HTTP/2. */
@NullMarked
package io.rpcboot.internal.server.connection.http2.limits;

import org.jspecify.annotations.NullMarked;
