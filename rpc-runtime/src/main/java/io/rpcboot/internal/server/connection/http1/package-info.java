/**
 * HTTP/1.1 at the server. A connection is one of HTTP/2 to all others: requests become
 * streams, one after the other, and responses become text. So limits, identity, memory,
 * drain and age are those of HTTP/2.
 */
@NullMarked
package io.rpcboot.internal.server.connection.http1;

import org.jspecify.annotations.NullMarked;
