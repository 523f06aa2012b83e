/**
 * Test support for applications: the slice {@link io.rpcboot.test.RpcTest}, calls without
 * sockets, {@link io.rpcboot.test.RpcFaults faults} and the
 * {@link io.rpcboot.test.RpcCaller caller}. Uses the auto-configuration and the engine's
 * public API; no package uses it. In-process calls go through serialization, queues,
 * deadlines and decisions about access, so that a test finds what a socket would show.
 */
@NullMarked
package io.rpcboot.test;

import org.jspecify.annotations.NullMarked;
