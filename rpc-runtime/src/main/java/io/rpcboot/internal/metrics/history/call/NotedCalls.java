package io.rpcboot.internal.metrics.history.call;

import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallDetails;
import io.rpcboot.metrics.history.NotedCall;
import org.jspecify.annotations.Nullable;

/** Notes of slow and failed calls of both sides. Any thread. */
public final class NotedCalls {

	/** Maximum of characters. */
	private static final int MAX_TRACE_ID = 64;

	/** Maximum of characters. */
	private static final int MAX_CALLER = 256;

	public final SlowCalls slow = new SlowCalls();

	public final FailedCalls failed = new FailedCalls();

	private final AtomicLong number = new AtomicLong();

	private final InstantSource clock;

	public NotedCalls(InstantSource clock) {
		this.clock = clock;
	}

	/** Notes a call that {@link SlowCalls#admits} has admitted. */
	void slow(Side side, MethodDescriptor method, RpcStatus status, long nanos, long waited, String peer,
			@Nullable CallDetails details) {
		this.slow.add(note(side, method, status, nanos, waited, peer, details));
	}

	/** Notes a call that {@link FailedCalls#admits} has admitted. */
	void failed(Side side, MethodDescriptor method, RpcStatus status, long nanos, long waited, String peer,
			@Nullable CallDetails details) {
		this.failed.add(note(side, method, status, nanos, waited, peer, details));
	}

	private Note note(Side side, MethodDescriptor method, RpcStatus status, long nanos, long waited, String peer,
			@Nullable CallDetails details) {
		long bounded = Math.max(0, Math.min(waited, nanos));
		if (details == null) {
			return new Note(this.number.incrementAndGet(), this.clock.millis(), side, method, peer, status, nanos,
					bounded, null, null, null, null);
		}
		return new Note(this.number.incrementAndGet(), this.clock.millis(), side, method, peer, status, nanos, bounded,
				shortened(details.traceId(), MAX_TRACE_ID), details.shortMessage(), details.exceptionType(),
				shortened(details.caller(), MAX_CALLER));
	}

	private static @Nullable String shortened(@Nullable String text, int most) {
		return (text != null && text.length() > most) ? text.substring(0, most) : text;
	}

	public static List<NotedCall> calls(List<Note> notes) {
		return notes.stream().map(Note::toCall).toList();
	}

}
