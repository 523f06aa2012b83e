/**
 * Auto-configuration of a relay: {@code rpc.relay.*}. Uses the properties of the server
 * for the side of the clients, and those of the client for the side of the servers.
 */
@NullMarked
package io.rpcboot.spring.autoconfigure.relay;

import org.jspecify.annotations.NullMarked;
