/**
 * History of calls: time series of counts and durations, notes of slow and failed calls.
 */
@NullMarked
package io.rpcboot.internal.metrics.history.call;

import org.jspecify.annotations.NullMarked;
