/**
 * Logs that limit the rate of their lines, and the log of single calls.
 * <p>
 * Uses the metrics API; clients, servers and the transport log through it. A peer can
 * cause at most one line per reason and second, and text of a peer cannot break a line.
 */
@NullMarked
package io.rpcboot.internal.logging;

import org.jspecify.annotations.NullMarked;
