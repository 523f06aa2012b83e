package io.rpcboot.internal.client.limits;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcStatus;
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
 * Callers against those who take calls, and against the end of the client: each call is
 * taken once or fails, none stays, and the size is what is there.
 */
public class ExpiringCallQueueStress {

	private static final int ANY = Integer.MAX_VALUE;

	/** A queue of its own. */
	abstract static class Race {

		final AtomicInteger size = new AtomicInteger();

		final ExpiringCallQueue<ClientCall> queue;

		final List<ClientCall> calls = new HandDrivenClient(1).calls(4);

		private final AtomicInteger taken = new AtomicInteger();

		private final AtomicInteger takenTwice = new AtomicInteger();

		Race(ScheduledExecutorService control) {
			this.queue = new ExpiringCallQueue<>(this.size, control, () -> {
			});
		}

		final void add(int from, int to) {
			this.calls.subList(from, to).forEach((call) -> this.queue.add(call, ANY));
		}

		/** Returns whether there was one. */
		final boolean take() {
			ClientCall call = this.queue.poll(System.nanoTime(), (any) -> true);
			if (call != null) {
				(call.claim() >= 0 ? this.taken : this.takenTwice).incrementAndGet();
			}
			return call != null;
		}

		final void judge(L_Result result, int wanted) {
			while (take()) {
				continue;
			}
			boolean right = this.taken.get() == wanted && this.takenTwice.get() == 0 && this.size.get() == 0;
			result.r1 = right ? "right"
					: "taken %s, twice %s, size %s".formatted(this.taken, this.takenTwice, this.size);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call was taken once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call was lost or taken twice")
	@State
	public static class AddAgainstPoll extends Race {

		public AddAgainstPoll() {
			super(HandDrivenClient.NOBODY);
		}

		@Actor
		public void caller() {
			add(0, 4);
		}

		@Actor
		public void taker() {
			for (int i = 0; i < 6; i++) {
				take();
			}
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result, 4);
		}

	}

	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call was taken once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call was lost or taken twice")
	@State
	public static class PollAgainstPoll extends Race {

		public PollAgainstPoll() {
			super(HandDrivenClient.NOBODY);
			add(0, 4);
		}

		@Actor
		public void first() {
			take();
			take();
		}

		@Actor
		public void second() {
			take();
			take();
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result, 4);
		}

	}

	/** A sweep takes out what has ended, wherever it stands. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call was taken once")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call was lost or taken twice")
	@State
	public static class PollAgainstSweep extends Race {

		public PollAgainstSweep() {
			super(HandDrivenClient.NOBODY);
			this.calls.get(0).fail(RpcStatus.CANCELLED, "before");
			this.calls.get(2).fail(RpcStatus.CANCELLED, "before");
			add(0, 4);
		}

		@Actor
		public void taker() {
			take();
			take();
		}

		@Actor
		public void sweeper() {
			long now = System.nanoTime();
			for (int i = 0; i < 5; i++) {
				this.queue.removeEnded(now);
			}
		}

		@Arbiter
		public void judged(L_Result result) {
			judge(result, 2);
		}

	}

	/** Nobody sweeps any more: who notices it ends the calls of all. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call failed")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call stays for ever")
	@State
	public static class AddAgainstAddAtTheEnd extends Race {

		private static final ScheduledExecutorService ENDED = (ScheduledExecutorService) Proxy.newProxyInstance(
				ExpiringCallQueueStress.class.getClassLoader(), new Class<?>[] { ScheduledExecutorService.class },
				(proxy, method, arguments) -> {
					throw new RejectedExecutionException("ended on purpose");
				});

		public AddAgainstAddAtTheEnd() {
			super(ENDED);
		}

		@Actor
		public void first() {
			add(0, 2);
		}

		@Actor
		public void second() {
			add(2, 4);
		}

		@Arbiter
		public void judged(L_Result result) {
			boolean ended = this.calls.stream().allMatch((call) -> call.failure != null);
			result.r1 = (ended && this.size.get() == 0) ? "right" : "ended: %b, size %s".formatted(ended, this.size);
		}

	}

	/** The queue of a reference, whose directory is closed. */
	@JCStressTest
	@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "each call failed")
	@Outcome(expect = Expect.FORBIDDEN, desc = "a call stays for ever")
	@State
	public static class AddAgainstClose {

		private final HandDrivenClient client = new HandDrivenClient(4);

		private final List<ClientCall> calls = this.client.calls(4);

		@Actor
		public void caller() {
			this.calls.forEach(this.client.proxy.queue::add);
		}

		@Actor
		public void close() {
			this.client.directory.close();
		}

		@Arbiter
		public void judged(L_Result result) {
			boolean ended = this.calls.stream().allMatch((call) -> call.failure != null);
			int size = this.client.proxy.queue.size();
			result.r1 = (ended && size == 0) ? "right" : "ended: %b, size %d".formatted(ended, size);
		}

	}

}
