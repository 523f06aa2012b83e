/**
 * Connections, write queues and event loops; the only place for Netty channels.
 */
@NullMarked
package io.rpcboot.internal.transport;

import org.jspecify.annotations.NullMarked;
