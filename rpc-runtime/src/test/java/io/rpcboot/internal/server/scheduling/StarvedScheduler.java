package io.rpcboot.internal.server.scheduling;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;

import io.rpcboot.fixture.HeapHog;
import io.rpcboot.internal.concurrent.WorkerPool;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import io.rpcboot.server.Dispatch;
import org.jspecify.annotations.Nullable;

/** A process in which a scheduler takes steps without memory. */
final class StarvedScheduler {

	private static final int CALLS = 4;

	private static final long FOREVER = Long.MAX_VALUE;

	private static final HandDrivenServer SERVER = new HandDrivenServer(1 << 16, "x");

	private StarvedScheduler() {
	}

	public static void main(String[] arguments) {
		HeapHog hog = new HeapHog();
		hog.report((round) -> isRight(hog, round, true) && isRight(hog, round, false));
	}

	private static boolean isRight(HeapHog hog, int round, boolean isShared) {
		boolean isRight = true;
		for (int step = 0; step < 4; step++) {
			Service service = new Service(isShared, round % 2 != 0);
			switch (step) {
				case 0 -> hog.starve(round, service::take);
				case 1 -> hog.starve(round, service::takeNext);
				case 2 -> hog.starve(round, service.scheduler::sweep);
				default -> hog.starve(round, service::cancel);
			}
			String fault = service.fault();
			if (fault != null) {
				System.out.printf("round %d, step %d, shared %s: %s%n", round, step, isShared, fault);
				isRight = false;
			}
		}
		return isRight;
	}

	/** A scheduler with a service of one thread, which runs the first of its calls. */
	private static final class Service {

		final CallScheduler scheduler;

		private final ServerMethod method;

		private final ServerCall[] calls = new ServerCall[CALLS];

		/** Call of a thread that has not gone on. */
		private @Nullable Runnable running;

		private @Nullable Runnable taken;

		Service(boolean isShared, boolean slow) {
			WorkerPool pool = new WorkerPool("none-", 0);
			this.scheduler = new CallScheduler(pool, isShared, System::nanoTime);
			this.method = new ServerMethod(SERVER.method.descriptor, false, SERVER.method.implementation,
					SERVER.method.calls, new ResponseSizeEstimator(true), new MinServiceTime(), Dispatch.POOL,
					new ServiceQueue(new Bulkhead(true, 1, 1, 1), false), null);
			for (int i = 0; i < CALLS; i++) {
				SERVER.runtime.inFlight.incrementAndGet();
				this.calls[i] = SERVER.connection.newStream(Invocation.of(this.method, SERVER.invocation.codec, null),
						false, i, 0, System.nanoTime(), FOREVER).call;
				pool.publish(this.calls[i]);
			}
			this.running = this.scheduler.take(null);
			if (slow) {
				this.scheduler.slow();
			}
		}

		void take() {
			this.taken = this.scheduler.take(null);
		}

		/** A worker forgets its last task before it takes the next. */
		void takeNext() {
			Runnable last = this.running;
			this.running = null;
			this.taken = this.scheduler.take(last);
		}

		void cancel() {
			this.calls[2].cancelled = true;
			this.scheduler.cancelled(this.calls[2]);
		}

		/** Takes all calls, and returns what is missing. */
		@Nullable String fault() {
			Set<Runnable> seen = new HashSet<>(Set.of(this.calls[0]));
			LinkedBlockingQueue<Runnable> workers = new LinkedBlockingQueue<>();
			for (Runnable each : new Runnable[] { this.running, this.taken }) {
				if (each != null) {
					workers.add(each);
				}
			}
			do {
				Runnable last = workers.poll();
				if (last != null) {
					seen.add(last);
				}
				Runnable next = this.scheduler.take(last);
				if (next != null) {
					workers.add(next);
				}
			}
			while (!workers.isEmpty());
			SERVER.channel.releaseOutbound();
			for (ServerCall call : this.calls) {
				if (!seen.contains(call) && !call.responseStarted) {
					return call.sink + " is lost";
				}
			}
			int permits = this.method.queue.threads();
			return (permits != 0) ? permits + " permits are in use"
					: (this.scheduler.size() == 0 && this.scheduler.isEmpty()) ? null : "it is not empty";
		}

	}

}
