/**
 * History of calls: recorders, time series of counts and durations, notes of slow and
 * failed calls. Only {@code metrics.history} uses it, and it uses the values of that
 * package. Recorders never wait for the lock of the history, allocate nothing for a call
 * that is neither slow nor failed, and the number of methods, stripes and notes is
 * bounded.
 */
@NullMarked
package io.rpcboot.internal.metrics.history.call;

import org.jspecify.annotations.NullMarked;
