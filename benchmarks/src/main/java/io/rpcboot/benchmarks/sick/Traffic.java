package io.rpcboot.benchmarks.sick;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Calls at a steady rate that waits for no answer. Each has a time at which it is to
 * begin, and its latency counts from there. Several services are called in turn.
 */
final class Traffic {

	/** Before a call that has ended, see {@link Call#parse}. */
	static final String CALL = "c ";

	private static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final List<Work> services;

	private final Lines lines;

	private final AtomicLong underWay = new AtomicLong();

	private long next;

	private @Nullable Thread thread;

	private volatile boolean stopped;

	Traffic(List<Work> services, long first, Lines lines) {
		this.services = services;
		this.next = first;
		this.lines = lines;
	}

	/**
	 * Begin.
	 * @param rate calls in a second
	 * @param writes share of the calls that are not idempotent
	 */
	void start(int rate, double writes) {
		Thread caller = new Thread(() -> call(rate, writes), "traffic");
		caller.setDaemon(true);
		caller.start();
		this.thread = caller;
	}

	/** Begin no more calls, and return when all have ended. */
	void stop() throws InterruptedException {
		this.stopped = true;
		Thread caller = this.thread;
		if (caller != null) {
			caller.join();
		}
		while (this.underWay.get() > 0) {
			LockSupport.parkNanos(BEAT_NANOS);
		}
	}

	private void call(int rate, double writes) {
		double pause = 1e9 / rate;
		long start = System.nanoTime();
		double written = 0;
		for (long i = 0; !this.stopped; i++) {
			long planned = start + (long) (i * pause);
			for (long early = planned - System.nanoTime(); early > 0; early = planned - System.nanoTime()) {
				LockSupport.parkNanos(early);
			}
			written += writes;
			boolean isWrite = written >= 1;
			written -= isWrite ? 1 : 0;
			call(this.services.get((int) (i % this.services.size())), this.next++, planned, isWrite);
		}
	}

	private void call(Work service, long number, long planned, boolean isWrite) {
		this.underWay.incrementAndGet();
		CompletableFuture<Long> answer;
		try {
			answer = isWrite ? service.write(number) : service.read(number);
		}
		catch (RuntimeException ex) {
			answer = CompletableFuture.failedFuture(ex);
		}
		answer.whenComplete((ignored, failure) -> {
			long end = System.nanoTime();
			this.lines
				.add(CALL + (isWrite ? "w " : "r ") + number + " " + planned + " " + end + " " + outcome(failure));
			this.underWay.decrementAndGet();
		});
	}

	private static String outcome(@Nullable Throwable thrown) {
		if (thrown == null) {
			return Call.OK;
		}
		Throwable failure = (thrown instanceof CompletionException && thrown.getCause() != null) ? thrown.getCause()
				: thrown;
		String text = String.valueOf(failure.getMessage()).replace('\n', ' ');
		return (failure instanceof RpcException ended) ? ended.status() + " " + ended.mayHaveExecuted() + " " + text
				: failure.getClass().getName() + " true " + text;
	}

}
