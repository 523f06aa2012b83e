/**
 * Ranges of network addresses, with which a server chooses the address to register and
 * the clients that it serves.
 * <p>
 * Uses the checks of options; used by the options, the registration and the transport of
 * a server. Parsing an address never asks a name server.
 */
@NullMarked
package io.rpcboot.internal.net;

import org.jspecify.annotations.NullMarked;
