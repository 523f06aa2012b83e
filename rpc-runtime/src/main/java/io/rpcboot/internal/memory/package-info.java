/**
 * The memory budget of a client or a server and the window that it grants each peer.
 * <p>
 * Uses nothing but the error log; frames, flow control and the calls of both sides
 * reserve here. No body beyond the share of its connection is allocated without a
 * reservation, unless an event loop overdraws; objects made of large messages have the
 * {@code ObjectHeap}. No peer holds memory that it does not use while others wait, and
 * neither direction can starve the other: a peer that sends much, or asks and never
 * sends, delays only itself.
 */
@NullMarked
package io.rpcboot.internal.memory;

import org.jspecify.annotations.NullMarked;
