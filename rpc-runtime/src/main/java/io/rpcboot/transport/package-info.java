/**
 * Options of event loops, sockets and batching, with the same words for client and
 * server.
 */
@NullMarked
package io.rpcboot.transport;

import org.jspecify.annotations.NullMarked;
