/**
 * Options for the choice of an instance: routing, ejection of outliers, retries, hedging.
 * Users set them for a client or a reference, {@code internal.client} reads them; the
 * package depends on {@code registry}, {@code context} and {@code transport} only. All
 * options are immutable and checked at once; only calls of idempotent methods are
 * executed more than once.
 */
@NullMarked
package io.rpcboot.resilience;

import org.jspecify.annotations.NullMarked;
