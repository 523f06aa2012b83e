package io.rpcboot.internal.server.scheduling;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.metrics.TransportRecorder;

/**
 * Ends waiting calls whose deadline has passed, ten times a second, so that they end even
 * if all workers hang. Also rotates {@link MinServiceTime}. One thread.
 */
public final class QueueSweeper implements Runnable {

	private static final long PERIOD_MILLIS = 100;

	private static final int RUNS_PER_SECOND = 10;

	private final WorkerPoolStats pool;

	private final CallScheduler queue;

	private final List<MinServiceTime> times;

	private final TransportRecorder recorder;

	/** Set by {@link #start}. */
	@SuppressWarnings("NullAway.Init")
	private ScheduledExecutorService loop;

	private int runs;

	/** True if a call waited at the last run. */
	private boolean waited;

	public QueueSweeper(WorkerPoolStats pool, CallScheduler queue, List<MinServiceTime> times,
			TransportRecorder recorder) {
		this.pool = pool;
		this.queue = queue;
		this.times = times;
		this.recorder = recorder;
	}

	public void start(ScheduledExecutorService loop) {
		this.loop = loop;
		loop.scheduleWithFixedDelay(this, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
	}

	@Override
	public void run() {
		boolean waits = this.pool.hasWaiting();
		if (waits && this.waited) {
			sweep();
			recordLongestWait();
		}
		this.waited = waits;
		this.runs++;
		if (this.runs % RUNS_PER_SECOND == 0) {
			this.times.forEach(MinServiceTime::rotate);
		}
	}

	/** Sweeps in parts, so that other tasks of this thread run in between. */
	private void sweep() {
		if (this.queue.sweep()) {
			this.loop.execute(this::sweep);
		}
	}

	/** Records the longest wait, which no worker records while none takes a call. */
	private void recordLongestWait() {
		long nanos = this.queue.longestWait();
		if (nanos > 0) {
			this.recorder.started(nanos);
		}
	}

}
