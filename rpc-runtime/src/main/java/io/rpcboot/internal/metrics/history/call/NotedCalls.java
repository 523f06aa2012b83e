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
		String traceId = (details != null) ? details.traceId() : null;
		return new Note(this.number.incrementAndGet(), this.clock.millis(), side, method, peer, status, nanos,
				Math.max(0, Math.min(waited, nanos)),
				(traceId != null && traceId.length() > MAX_TRACE_ID) ? traceId.substring(0, MAX_TRACE_ID) : traceId,
				(details != null) ? details.shortMessage() : null, (details != null) ? details.exceptionType() : null);
	}

	public static List<NotedCall> calls(List<Note> notes) {
		return notes.stream().map(Note::toCall).toList();
	}

}
