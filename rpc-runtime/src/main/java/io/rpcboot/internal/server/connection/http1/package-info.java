/** Connections of clients that speak HTTP/1.1. */
@NullMarked
package io.rpcboot.internal.server.connection.http1;

import org.jspecify.annotations.NullMarked;
