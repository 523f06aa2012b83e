/**
 * Choice of instances: discovery, health and weights of the instances of a reference, and
 * the routing table that its calls read. References use them; they use connection pools
 * and outlier detection. Tables are immutable and made anew by the control thread at each
 * change; calls read them on any thread.
 */
@NullMarked
package io.rpcboot.internal.client.routing;

import org.jspecify.annotations.NullMarked;
