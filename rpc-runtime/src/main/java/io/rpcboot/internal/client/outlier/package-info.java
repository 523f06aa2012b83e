/**
 * Statistics and decisions about instances: outlier detection, latency quantiles, slow
 * start.
 * <p>
 * Uses only options; the routing, retry and connection rooms of the client are built on
 * it. It knows no connections and has no threads; the time is a parameter or comes from a
 * clock that the caller passes to the constructor, so tests drive it by hand. An instance
 * is always judged against the others: if all fail, none is ejected.
 */
@NullMarked
package io.rpcboot.internal.client.outlier;

import org.jspecify.annotations.NullMarked;
