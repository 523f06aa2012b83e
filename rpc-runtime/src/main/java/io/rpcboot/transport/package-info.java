/**
 * Options of event loops, sockets, batching and memory, with the same names for client
 * and server, and connections as applications see them. Users set the options, the
 * engines read them; the package depends on {@code metrics} and the root package only.
 * Options are immutable, and each value is checked when it is set.
 */
@NullMarked
package io.rpcboot.transport;

import org.jspecify.annotations.NullMarked;
