/**
 * Test support for applications: the slice {@link io.rpcboot.test.RpcTest}, calls without
 * sockets, and {@link io.rpcboot.test.RpcFaults faults}. Uses the auto-configuration and
 * the engine's public API; no package uses it. In-process calls go through serialization,
 * queues and deadlines, so that a test finds what a socket would show.
 */
@NullMarked
package io.rpcboot.test;

import org.jspecify.annotations.NullMarked;
