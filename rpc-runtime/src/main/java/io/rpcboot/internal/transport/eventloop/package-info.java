/**
 * Event loops and their threads: transport types, heartbeats, threads that must not
 * block.
 * <p>
 * Uses Netty and the health of the engine; all other rooms of the transport are built on
 * it, and callers ask it whether their thread may block. A loop outlives every exception
 * of handlers and tasks; nothing in the engine blocks a loop.
 */
@NullMarked
package io.rpcboot.internal.transport.eventloop;

import org.jspecify.annotations.NullMarked;
