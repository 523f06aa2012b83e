/**
 * One call: state, request, reply, failure and metadata, and its view of the reference
 * ({@link io.rpcboot.internal.client.call.CallDispatcher}) and of the connection
 * ({@link io.rpcboot.internal.client.call.CallTransport}).
 * <p>
 * Uses limits, frames and serialization; used by all client rooms above it.
 * <p>
 * A call completes exactly once, because every end first claims its atomic state. It may
 * have executed only if it was in state SENT. Every end of a call that has begun passes
 * {@code ClientCall.countOut}, which returns the permit.
 */
@NullMarked
package io.rpcboot.internal.client.call;

import org.jspecify.annotations.NullMarked;
