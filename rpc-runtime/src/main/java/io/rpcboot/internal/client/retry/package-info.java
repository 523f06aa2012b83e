/**
 * Further attempts of a call, which are retries after a failure, and races of two calls,
 * of which the application sees one ({@code HedgedCall}). The service proxy and the end
 * of a call use them; they send through {@code Redispatcher}, which the router
 * implements. All of a reference share one budget, only idempotent methods use it, and a
 * race has one second call at most.
 */
@NullMarked
package io.rpcboot.internal.client.retry;

import org.jspecify.annotations.NullMarked;
