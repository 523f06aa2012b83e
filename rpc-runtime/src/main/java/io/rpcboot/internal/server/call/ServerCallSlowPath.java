package io.rpcboot.internal.server.call;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.logging.CallLoggingMetrics;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.server.runtime.ResponseMemory;
import io.rpcboot.internal.server.scheduling.ServiceQueue;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.server.Dispatch;

/**
 * What a call without trouble and with a small result never does. Stands beside server
 * call.
 */
public final class ServerCallSlowPath {

	/** One call in 64 of a connection tells how long it has waited, by its call id. */
	static final int SAMPLE_MASK = 63;

	private static final String LATE = "its time was over before a thread of the server took it";

	private static final String ABANDONED = "its connection ended before a thread of the server took it";

	private ServerCallSlowPath() {
	}

	/** The caller no longer waits; the caller of a one-way call never did. */
	public static void cancel(ServerCall call) {
		call.cancelled = !call.oneWay;
		call.connection.memory.giveUp(call);
		if (!call.oneWay && (!call.started || call.queued) && call.method.dispatch == Dispatch.POOL) {
			call.connection.server.queue.cancelled(call);
		}
		ServerCallContext context = call.context;
		if (context != null) {
			context.cancelled();
		}
		PendingResult stage = call.running;
		if (stage != null && !call.oneWay) {
			stage.cancelSoon();
		}
	}

	/** A call is over before a thread has begun it. Never throws. */
	static void endUnrun(ServerCall call) {
		try {
			if (call.cancelled) {
				call.connection.server.counts.cancelled.increment();
				call.finishWithoutReply(RpcStatus.CANCELLED);
			}
			else {
				refuse(call, LATE);
			}
		}
		catch (Throwable ex) {
			endUnrunAfter(call, ex);
		}
	}

	private static void endUnrunAfter(ServerCall call, Throwable cause) {
		try {
			ErrorResponses.unexpected(call, cause);
		}
		catch (Throwable ex) { // there is no memory for its end; the others have theirs
			call.connection.server.log.warn("A call that nobody waits for", call.method.descriptor,
					() -> call.method.descriptor + " has not ended: " + ex, null);
		}
	}

	/** The time of a call was over before it could begin. */
	public static void late(ServerCall call) {
		refuse(call, LATE);
	}

	private static void refuse(ServerCall call, String why) {
		call.connection.server.counts.expired.increment();
		ErrorResponses.refuse(call, RpcStatus.DEADLINE_EXCEEDED, why);
	}

	/**
	 * A thread takes a call that has waited for it, and not only for a moment, or whose
	 * time is looked at.
	 * @param nanos how long it has waited
	 */
	static void onDequeued(ServerCall call, long nanos) {
		if (call.started) { // it has waited for memory
			return;
		}
		if (nanos >= ServiceQueue.SLOW_NANOS && call.method.dispatch == Dispatch.POOL) {
			call.connection.server.queue.slow();
		}
		if ((call.id() & SAMPLE_MASK) == 1) {
			call.connection.server.recorder.started(nanos);
		}
	}

	/**
	 * Reserve memory for the result of a call before it begins. If there is none the call
	 * waits in the turn of its connection and is run again, and no thread waits; but for
	 * clients that take their results. Returns whether the call may start.
	 */
	static boolean reserveResponseMemory(ServerCall call, boolean mayWait) {
		ServerTransport connection = call.connection;
		MemoryBudget account = connection.memory.account();
		long bytes = connection.memory.needed(call.method.results);
		if (bytes == 0) {
			return true;
		}
		if (account.tryReserve(Direction.OUTGOING, bytes)) {
			call.reserved(bytes);
			return true;
		}
		if (mayWait) {
			boolean takes = connection.takesResults();
			if (bytes <= ResponseMemory.MOST_OF_THREAD && takes && !account.isFarOverdrawn()) {
				return true;
			}
			connection.memory.untilReserved(call, connection, takes, bytes);
			return false;
		}
		if (!account.isOverdrawn() || (connection.unsent.get() == 0 && !account.isFarOverdrawn())) {
			return true;
		}
		ErrorResponses.refuse(call, RpcStatus.RESOURCE_EXHAUSTED,
				"memory.limit: all of the server's %d bytes are in use".formatted(account.limit()));
		return false;
	}

	/**
	 * A call has waited for a thread, and has less time left than any call of its method
	 * has taken of late; or it has none. Returns whether it runs all the same, to see
	 * whether that is still so; else it was refused.
	 */
	static boolean runAnyway(ServerCall call, long left) {
		if (left >= 0 && call.method.times.isProbe(call.queuedOrStartedNanos)) {
			return true;
		}
		call.started = false;
		refuse(call, (left < 0) ? LATE : tooLate(left, call.method.times.min));
		return false;
	}

	/** Of an overloaded server most calls may end so: no formatter. */
	private static String tooLate(long left, long least) {
		return CallLoggingMetrics.millis(left) + " were left when a thread of the server took it, and its method takes "
				+ CallLoggingMetrics.millis(least) + " at least";
	}

	/** The connection is closed: nothing of the call is kept. */
	public static void abandon(ServerCall call) {
		call.dropBody();
		cancel(call);
	}

	/** A thread has taken a call of which nothing was kept. */
	static void endAbandoned(ServerCall call) {
		call.connection.server.counts.cancelled.increment();
		if (call.oneWay) {
			ErrorResponses.refuse(call, RpcStatus.CANCELLED, ABANDONED);
		}
		else {
			call.finishWithoutReply(RpcStatus.CANCELLED);
		}
	}

	/** The answer has an array of its own; if that is not little, it is entered. */
	static void waitsInArray(ServerCall call, int length) {
		if (call.connection.memory.isEntered(length)) {
			call.memory().enter(length);
		}
		else {
			call.forgetAnswer();
		}
	}

	/** The answer may not go yet. Returns how it waits. Event loop only. */
	static WriteDecision markBlocked(ServerCall call, WriteDecision how) {
		if (!call.waited) {
			call.waited = true;
			call.connection.watchWaiting();
		}
		return how;
	}

	/** Whether an answer has waited until its caller did not. Event loop only. */
	static boolean isStale(ServerCall call) {
		if (call.isTimeOver()) {
			call.status = RpcStatus.DEADLINE_EXCEEDED;
			call.connection.memory.countDropped();
			call.cancelled = true;
		}
		return call.cancelled;
	}

	/** The connection has ended before the answer went. Any thread. */
	static void rejected(ServerCall call) {
		try {
			call.forgetAnswer();
			CallRecorder recorder = call.recorder();
			if (recorder != null) {
				recorder.record(RpcStatus.CANCELLED, System.nanoTime() - call.startNanos, call.connection.peer());
			}
		}
		finally {
			if (call.countsAgainstService) {
				call.method.line.leaveCrowd();
			}
			call.connection.callEnded();
		}
	}

}
