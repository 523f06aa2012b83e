/**
 * History of the last 15 minutes, kept in the process: values every five seconds, the
 * busiest methods, slow and failed calls. An application passes
 * {@link io.rpcboot.metrics.history.RpcHistory} to clients and servers, the dashboard
 * reads it; the entry uses {@code internal.metrics.history.call}, which sees only the
 * values of this package. It takes at most 2 MB, allocates nothing per call, and nothing
 * leaves the process.
 */
@NullMarked
package io.rpcboot.metrics.history;

import org.jspecify.annotations.NullMarked;
