package io.rpcboot.benchmarks.fork;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

import io.rpcboot.benchmarks.workload.BenchService;
import io.rpcboot.benchmarks.workload.MeasuredCall;
import org.jspecify.annotations.Nullable;

/**
 * One thread that makes asynchronous calls and never looks how many are under way.
 */
final class FiringLoad {

	private final LongAdder answered = new LongAdder();

	private final LongAdder failedEarly = new LongAdder();

	private final LongAdder failedLate = new LongAdder();

	private final MeasuredCall call;

	private final long timeoutNanos;

	/**
	 * Create the load.
	 * @param call which call
	 * @param timeoutNanos the time allowed for a call: one that fails sooner has failed
	 * before its deadline
	 */
	FiringLoad(MeasuredCall call, long timeoutNanos) {
		this.call = call;
		this.timeoutNanos = timeoutNanos;
	}

	Fired run(BenchService service, long nanos) throws Exception {
		long start = System.nanoTime();
		int n = 0;
		long sent = 0;
		while (System.nanoTime() - start < nanos) {
			long before = System.nanoTime();
			int number = n;
			sent++;
			try {
				this.call.invokeAsync(service, number)
					.whenComplete((answer, failed) -> complete(number, before, answer, failed));
			}
			catch (RuntimeException ex) {
				complete(number, before, null, ex);
			}
			n = (n + 1) & Integer.MAX_VALUE;
		}
		awaitEnd(sent);
		return new Fired(sent, this.answered.sum(), this.failedEarly.sum(), this.failedLate.sum());
	}

	void complete(int n, long before, @Nullable Object answer, @Nullable Throwable failed) {
		if (failed == null && answer != null && this.call.isRight(n, answer)) {
			this.answered.increment();
		}
		else if (failed == null || System.nanoTime() - before < this.timeoutNanos) {
			this.failedEarly.increment();
		}
		else {
			this.failedLate.increment();
		}
	}

	private void awaitEnd(long sent) throws Exception {
		long start = System.nanoTime();
		while (this.answered.sum() + this.failedEarly.sum() + this.failedLate.sum() < sent) {
			if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(Load.PATIENCE_SECONDS)) {
				throw new TimeoutException("no answer for " + Load.PATIENCE_SECONDS + " seconds");
			}
			TimeUnit.MILLISECONDS.sleep(20);
		}
	}

}
