package io.rpcboot.benchmarks.fork;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;

import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.MeasuredCall;

/**
 * Calls that are allowed to fail: by threads that wait for each answer, or by threads
 * that never look how many calls are under way, as fast as the clients take them or at a
 * fixed rate.
 */
final class GoodputLoad {

	private static final int POLL_MILLIS = 10;

	private final LoadSpec spec;

	private final MeasuredCall call;

	private final long timeoutNanos;

	private final Function<Throwable, String> status;

	private final LongAdder started = new LongAdder();

	/**
	 * Create the load.
	 * @param spec blocking callers or those that fire
	 * @param call which call
	 * @param timeoutNanos the time that the clients allow for a call
	 * @param status what to count a failure as
	 */
	GoodputLoad(LoadSpec spec, MeasuredCall call, long timeoutNanos, Function<Throwable, String> status) {
		if (spec.mode() != LoadSpec.Mode.BLOCKING && spec.mode() != LoadSpec.Mode.FIRE) {
			throw new IllegalArgumentException("load: " + spec + " (expected: blocking or fire)");
		}
		this.spec = spec;
		this.call = call;
		this.timeoutNanos = timeoutNanos;
		this.status = status;
	}

	/**
	 * Make calls until the time is over, then wait for the ends.
	 * @param services the clients, of which each caller takes one after the other
	 * @param nanos how long
	 */
	Ends run(List<BenchService> services, long nanos) throws InterruptedException {
		try (Hiccups hiccups = new Hiccups()) {
			long start = System.nanoTime();
			EndCounter counter = new EndCounter(this.call, this.status, this.timeoutNanos, start + nanos);
			List<Thread> threads = new ArrayList<>();
			for (int i = 0; i < this.spec.callers(); i++) {
				int caller = i;
				Thread thread = new Thread(() -> callUntil(start + nanos, Pace.of(this.spec, caller, start),
						new Caller(counter, services, caller)), "caller");
				thread.setDaemon(true);
				thread.start();
				threads.add(thread);
			}
			long patience = start + nanos + this.timeoutNanos + TimeUnit.SECONDS.toNanos(Load.PATIENCE_SECONDS);
			for (Thread thread : threads) {
				thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(patience - System.nanoTime())));
			}
			while (counter.ended() < this.started.sum() && System.nanoTime() - patience < 0) {
				TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
			}
			return counter.ends(this.started.sum(), hiccups.longestNanos());
		}
	}

	private void callUntil(long end, Pace pace, Caller caller) {
		int n = 0;
		while (pace.awaitNext(System.nanoTime()) - end < 0) {
			// an open loop that was held up fires what it owes; no call is charged with
			// that
			long before = System.nanoTime();
			if (before - end >= 0) {
				return;
			}
			this.started.increment();
			caller.call(n, before);
			n = (n + 1) & Integer.MAX_VALUE;
		}
	}

	/** One thread and its way through the clients. */
	private final class Caller {

		private final EndCounter counter;

		private final List<BenchService> services;

		private int next;

		Caller(EndCounter counter, List<BenchService> services, int first) {
			this.counter = counter;
			this.services = services;
			this.next = first % services.size();
		}

		void call(int n, long before) {
			BenchService service = this.services.get(this.next);
			this.next = (this.next + 1 < this.services.size()) ? this.next + 1 : 0;
			MeasuredCall call = GoodputLoad.this.call;
			EndCounter ends = this.counter;
			try {
				if (GoodputLoad.this.spec.mode() == LoadSpec.Mode.BLOCKING) {
					ends.end(n, before, call.invoke(service, n), null);
				}
				else {
					call.invokeAsync(service, n).whenComplete((answer, failed) -> ends.end(n, before, answer, failed));
				}
			}
			catch (RuntimeException ex) {
				ends.end(n, before, null, ex);
			}
		}

	}

}
