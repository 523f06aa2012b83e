/**
 * Further attempts of a call: retries after a failure, and hedges of a slow call. The
 * service proxy and the end of a call use them; they send through {@code Redispatcher},
 * which the router implements. All attempts of a reference share one budget, only
 * idempotent methods use it, and a call has one hedge at most.
 */
@NullMarked
package io.rpcboot.internal.client.retry;

import org.jspecify.annotations.NullMarked;
