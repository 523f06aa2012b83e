/**
 * Network addresses: ranges of them, with which a server chooses the address to register
 * and the clients that it serves, and the networks of clients, which share limits.
 * <p>
 * Uses the checks of options; used by the options, the registration, the transport and
 * the calls of a server. Parsing an address never asks a name server.
 */
@NullMarked
package io.rpcboot.internal.net;

import org.jspecify.annotations.NullMarked;
