/**
 * Choice of the call that runs next and of the number that runs at once: queues by
 * service, bulkheads, adaptive limits. Uses the worker pool and public options;
 * connections and calls use it, and it knows calls only as {@code ScheduledCall}. One
 * lock guards all queues and limits, and it is taken only while calls wait or a limit is
 * active: in normal operation calls stay in the lock-free queue of the pool.
 * <p>
 * Under overload a service runs the calls that can still end in time: newest first once
 * the oldest has waited half of its time, none with less time left than its method needs,
 * no more at once than complete in time. Each service leaves a quarter of the threads to
 * others, so that a service that hangs does not stop them.
 */
@NullMarked
package io.rpcboot.internal.server.scheduling;

import org.jspecify.annotations.NullMarked;
