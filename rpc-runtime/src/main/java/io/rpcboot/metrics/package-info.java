/**
 * Metrics of the engines: a small interface with a no-op, and helpers for its
 * implementations in the subpackages. The engines report to
 * {@link io.rpcboot.metrics.RpcMetrics}, applications may implement it; the package
 * depends on the root package only. Recorders are resolved once, never block, and are
 * left out after their first exception.
 */
@NullMarked
package io.rpcboot.metrics;

import org.jspecify.annotations.NullMarked;
