/**
 * Load balancers: each chooses one of several instances for a call. Applications
 * implement {@link io.rpcboot.loadbalance.LoadBalancer} or use one of this package;
 * {@code internal.client} provides the {@link io.rpcboot.loadbalance.Candidates}, and the
 * package depends on {@code registry} only. A balancer never blocks, sees only the calls
 * of its own client, and cannot lose a call.
 */
@NullMarked
package io.rpcboot.loadbalance;

import org.jspecify.annotations.NullMarked;
