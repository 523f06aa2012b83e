/**
 * Choice of the service instances that take a call: discovery, health, load balancing.
 */
@NullMarked
package io.rpcboot.internal.client.routing;

import org.jspecify.annotations.NullMarked;
