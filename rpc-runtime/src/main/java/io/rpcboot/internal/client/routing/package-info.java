/**
 * Choice of instances: discovery, health and weights of the instances of a reference, and
 * the routing table that its calls read; also the known instances as targets of broadcast
 * calls. Rooms {@code reference} and {@code broadcast} use it, and the client uses its
 * load balancer; it uses connection pools and outlier detection. The control thread makes
 * a new table at each change and never changes a published one, except that calls cache
 * views and take trials; calls read tables on any thread.
 */
@NullMarked
package io.rpcboot.internal.client.routing;

import org.jspecify.annotations.NullMarked;
