/**
 * Permits and memory of the client's calls: decides whether one more call may be pending
 * and queues calls that wait for a permit.
 * <p>
 * Knows a call only as {@link io.rpcboot.internal.client.limits.QueuedCall}; used by all
 * other client rooms. Every pending call holds one permit, from its admission to
 * {@code ClientCall.countOut}. Blocking calls and small references keep a reserve, so
 * asynchronous calls that hang cannot block them.
 */
@NullMarked
package io.rpcboot.internal.client.limits;

import org.jspecify.annotations.NullMarked;
