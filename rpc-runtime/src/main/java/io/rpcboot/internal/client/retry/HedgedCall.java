package io.rpcboot.internal.client.retry;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.AttemptHistory;
import io.rpcboot.internal.client.call.CallFuture;
import io.rpcboot.internal.client.call.CallMetadata;
import io.rpcboot.internal.client.call.CallTransport;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.call.FutureCall;
import io.rpcboot.metrics.CallRecorder;
import org.jspecify.annotations.Nullable;

/**
 * One call of the application that may become a race of two: the future of the first, or
 * the wait for it if the method blocks. A second one goes to another instance if the
 * first takes long. The first answer wins and the other call is cancelled. A failure of
 * the second, or one of the first that another instance may not have, leaves the outcome
 * to the other. Any thread.
 */
public final class HedgedCall extends CallFuture {

	private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

	private static final String LOST = "another instance has answered first";

	private final Hedger hedger;

	@SuppressWarnings("NullAway.Init")
	private volatile ClientCall first;

	/** Null until it is made. */
	private volatile @Nullable ClientCall second;

	/** Call that failed while the other one was pending; null without one. */
	private @Nullable ClientCall failed;

	/** True once the outcome is known; never false again. */
	private boolean decided;

	HedgedCall(Hedger hedger) {
		this.hedger = hedger;
	}

	/** Sets the first call, before it is published. */
	void begins(ClientCall call) {
		this.first = call;
		call.recorded = call.isAsynchronous(); // a future is recorded with its outcome
	}

	/** Returns the call that was made first. */
	ClientCall first() {
		return this.first;
	}

	/**
	 * Makes the second call, of the arguments that the first has serialized.
	 * @return null if there is one, if the first has ended or is not sent, if its
	 * arguments are too long for a copy, or without a free permit
	 */
	synchronized @Nullable ClientCall makeSecond() {
		ClientCall original = this.first;
		CallTransport there = original.connection;
		byte[] arguments = original.copyBody();
		// the array may already hold the reply, but only once the call has ended
		if (there == null || arguments == null || this.second != null || original.isAbandoned()
				|| !original.reference.resources().limit.room.tryAcquire()) {
			return null;
		}
		boolean later = original.isAsynchronous();
		ClientCall made = later ? new FutureCall(original.reference, original.method, original.startNanos, this)
				: new ClientCall(original.reference, original.method, original.startNanos);
		made.recorded = later;
		made.attempts = new AttemptHistory(System.nanoTime());
		made.attempts.failedAt(there.endpoint(), null); // it counts as the second attempt
		made.attempts.mayHaveRun = true;
		made.context = (original.context != null) ? original.context.again() : null;
		made.holds(arguments, arguments.length, null);
		made.markAdmitted(); // before any thread may end it
		this.second = made;
		return made;
	}

	/** Returns true while both calls are pending. */
	synchronized boolean isRace() {
		return this.second != null && this.failed == null && !this.decided;
	}

	/**
	 * Notes the end of a call.
	 * @return the call whose outcome counts: of two failures the later, if it may have
	 * executed; null if that is open, or was decided before
	 */
	synchronized @Nullable ClientCall decide(ClientCall ended) {
		ClientCall before = this.failed;
		if (this.decided || ended == before) {
			return null;
		}
		boolean mayLose = ended.failure != null
				&& (ended != this.first || this.hedger.mayDiffer(ended.failure.status()));
		if (mayLose && before == null && this.second != null) {
			this.failed = ended;
			return null;
		}
		this.decided = true;
		boolean mayHaveRun = ended.failure == null || ended.failure.mayHaveExecuted();
		return (before == null || mayHaveRun) ? ended : before;
	}

	@Override
	public void ended(ClientCall by, @Nullable Object result, @Nullable Throwable thrown) {
		ClientCall winner = decide(by);
		if (winner == null) {
			return;
		}
		ClientCall loser = loser(winner);
		if (loser != null) {
			loser.fail(RpcStatus.CANCELLED, LOST);
		}
		leave(winner);
		CallRecorder recorder = winner.method.recorder;
		if (recorder != null) {
			CallTransport from = winner.connection;
			recorder.record(winner.status(), System.nanoTime() - winner.startNanos, (from != null) ? from.peer() : "",
					winner);
		}
		end(result, (winner == by) ? thrown : winner.failure);
	}

	private @Nullable ClientCall loser(ClientCall winner) {
		return (winner == this.first) ? this.second : this.first;
	}

	/** Shows interceptors the attachments of the winner. */
	private void leave(ClientCall winner) {
		this.hedger.leave(this.first, this.second);
		CallMetadata shown = this.first.context;
		if (shown != null && winner.context != null) {
			shown.reply = winner.context.reply;
		}
	}

	@Override
	public void cancelCall(String why) {
		calls().forEach((call) -> call.fail(RpcStatus.CANCELLED, why));
	}

	/**
	 * Waits for a blocking call, and makes the second one. The thread that has made the
	 * first.
	 * @param delayNanos time from the start to the second call, and between two looks at
	 * one that was not sent
	 */
	@Nullable Object await(long delayNanos) throws Throwable {
		long dueNanos = this.first.startNanos + delayNanos;
		boolean hedged = false;
		boolean interrupted = false;
		ClientCall winner = nextEnd();
		while (winner == null) {
			long now = System.nanoTime();
			if (!hedged && now - dueNanos >= 0) {
				hedged = this.hedger.hedge(this);
				dueNanos = now + delayNanos;
			}
			long left = this.first.deadlineNanos() - now;
			if (left <= 0) {
				calls().forEach(ClientCall::expire);
			}
			// at most 1 ms while another thread completes a call
			long pause = (left > 0) ? left : NANOS_PER_MILLI;
			LockSupport.parkNanos(this, hedged ? pause : Math.min(pause, Math.max(1, dueNanos - now)));
			if (Thread.interrupted()) {
				interrupted = true;
				cancelCall("the calling thread was interrupted");
			}
			winner = nextEnd();
		}
		try {
			ClientCall loser = loser(winner);
			if (loser != null) {
				loser.cancel(LOST);
			}
			return winner.await();
		}
		finally {
			leave(winner);
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private List<ClientCall> calls() {
		ClientCall other = this.second;
		return (other != null) ? List.of(this.first, other) : List.of(this.first);
	}

	/** Returns the call that decides, null if none of those that have ended does. */
	private @Nullable ClientCall nextEnd() {
		ClientCall winner = null;
		for (ClientCall each : calls()) {
			winner = (winner == null && each.hasEnded()) ? decide(each) : winner;
		}
		return winner;
	}

}
