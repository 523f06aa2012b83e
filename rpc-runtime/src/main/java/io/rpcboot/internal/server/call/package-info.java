/**
 * One call at the server: run it, answer it, cancel it. Rooms {@code scheduling} and
 * {@code runtime} choose when it runs; it knows its connection only as
 * {@code ServerTransport}, which room {@code connection} implements. Each call gets
 * exactly one response, or an end without one, and is counted out exactly once, by its
 * connection. The call object is the response frame too, so queueing and answering need
 * no other object per call; a context, a reservation, a pending result and a run through
 * interceptors are created only for calls that need them.
 */
@NullMarked
package io.rpcboot.internal.server.call;

import org.jspecify.annotations.NullMarked;
