/**
 * Event loops: transport types, threads, heartbeats.
 */
@NullMarked
package io.rpcboot.internal.transport.eventloop;

import org.jspecify.annotations.NullMarked;
