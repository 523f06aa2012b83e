/**
 * Outgoing frames, bodies of both directions and the table of pending calls.
 * <p>
 * Uses the memory budget; the write path, the protocols and the calls of client and
 * server are built on it. A frame is in one queue at a time, because its links are fields
 * of the frame; every chunk of a body is reserved in the memory budget before it is
 * allocated.
 */
@NullMarked
package io.rpcboot.internal.transport.frame;

import org.jspecify.annotations.NullMarked;
