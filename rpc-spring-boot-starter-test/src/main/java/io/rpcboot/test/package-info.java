/**
 * For tests of applications: the slice {@link io.rpcboot.test.RpcTest}, calls without
 * sockets, and {@link io.rpcboot.test.RpcFaults faults}.
 */
@NullMarked
package io.rpcboot.test;

import org.jspecify.annotations.NullMarked;
