package io.rpcboot.internal.client.limits;

import java.util.List;
import java.util.stream.IntStream;

import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Calls that end late against those that begin and end: permits that are withheld, free
 * and in use are always as many as there were, and no call waits while one is free.
 */
public class AdaptiveConcurrencyLimitStress {

	private static final int MAX = 10_000;

	private static final int MORE_LATE_NANOS = 1_000_000_000;

	/** What races about the number of permits share. */
	abstract static class Race {

		final HandDrivenClient client = new HandDrivenClient(MAX);

		final AdaptiveConcurrencyLimit limit = this.client.limit;

		/** Permits that calls have, as the actors count them when both are done. */
		int underWay;

		/** A call begins and ends late, and its end is told by an actor. */
		final ClientCall lateCall() {
			ClientCall call = this.client.call(this.client.clock.incrementAndGet());
			this.client.clock.addAndGet(HandDrivenClient.TIMEOUT_NANOS + MORE_LATE_NANOS);
			return call;
		}

		final void acquire(int permits) {
			if (!this.limit.room.tryAcquire(permits)) {
				throw new IllegalStateException("permits: too few (expected: at least %d)".formatted(permits));
			}
			this.underWay += permits;
		}

		final void judge(L_Result result) {
			int free = this.limit.room.availablePermits();
			boolean right = free + this.underWay == this.limit.most() && this.limit.pending() == this.underWay
					&& this.limit.most() >= 1024 && this.limit.most() <= MAX;
			result.r1 = right ? "right"
					: "most %d, free %d, under way %d".formatted(this.limit.most(), free, this.underWay);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "the permits add up")
	@Outcome(expect = Expect.FORBIDDEN, desc = "permits were lost or made")
	@State
	public static class ReduceAgainstLeaveAndEnter extends Race {

		private final ClientCall late;

		public ReduceAgainstLeaveAndEnter() {
			acquire(MAX);
			this.late = lateCall();
		}

		@Actor
		public void lateEnd() {
			this.limit.failed(this.late.startNanos, this.late.deadlineNanos());
		}

		@Actor
		public void others() {
			this.limit.leave(1);
			this.underWay += this.limit.room.tryAcquire() ? 0 : -1;
			this.limit.leave(900);
			this.underWay -= 900;
			this.underWay += this.limit.room.tryAcquire() ? 1 : 0;
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** It is reduced already, and answers make room for more. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "the permits add up")
	@Outcome(expect = Expect.FORBIDDEN, desc = "permits were lost or made")
	@State
	public static class ReduceAgainstAllowMore extends Race {

		private final ClientCall late;

		private final ClientCall inTime;

		public ReduceAgainstAllowMore() {
			acquire(MAX);
			ClientCall first = lateCall();
			this.limit.failed(first.startNanos, first.deadlineNanos());
			this.limit.leave(MAX);
			this.underWay = 0;
			this.late = lateCall();
			acquire(2000);
			this.inTime = this.client.call(this.client.clock.get());
		}

		@Actor
		public void lateEnd() {
			this.limit.failed(this.late.startNanos, this.late.deadlineNanos());
		}

		@Actor
		public void endsInTime() {
			for (int i = 0; i < 24; i++) {
				this.limit.answered(this.inTime.startNanos, 0);
			}
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "the permits add up")
	@Outcome(expect = Expect.FORBIDDEN, desc = "permits were lost or made")
	@State
	public static class ReduceAgainstReduce extends Race {

		private final ClientCall first;

		private final ClientCall second;

		public ReduceAgainstReduce() {
			acquire(MAX);
			this.first = lateCall();
			this.second = lateCall();
		}

		@Actor
		public void firstEnd() {
			this.limit.failed(this.first.startNanos, this.first.deadlineNanos());
		}

		@Actor
		public void secondEnd() {
			this.limit.failed(this.second.startNanos, this.second.deadlineNanos());
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result);
		}

	}

	/** As many calls leave as wait for room. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call has entered")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call waits though there is room")
	@State
	public static class QueueAgainstLeave {

		private static final int CALLS = 3;

		private final HandDrivenClient client = new HandDrivenClient(CALLS);

		private final AdaptiveConcurrencyLimit limit = this.client.limit;

		private final List<ClientCall> calls = IntStream.range(0, CALLS)
			.mapToObj((i) -> this.client.call(System.nanoTime()))
			.toList();

		public QueueAgainstLeave() {
			this.limit.room.acquireUninterruptibly(CALLS);
		}

		@Actor
		public void caller() {
			this.calls.forEach(this.limit.queue()::add);
		}

		@Actor
		public void leaves() {
			for (int i = 0; i < CALLS; i++) {
				this.limit.leave(1);
			}
		}

		@Arbiter
		public void judged(L_Result result) {
			long entered = this.calls.stream().filter((call) -> call.state != ClientCall.AWAITING_PERMIT).count();
			boolean right = entered == CALLS && this.limit.queued() == 0 && this.limit.room.availablePermits() == 0;
			result.r1 = right ? "right" : "entered %d, queued %d, free %d".formatted(entered, this.limit.queued(),
					this.limit.room.availablePermits());
		}

	}

}
