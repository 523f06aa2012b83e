package io.rpcboot.internal.server.scheduling;

import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.rpcboot.internal.concurrent.WorkerPoolStats;
import io.rpcboot.metrics.TransportRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the calls that wait for a thread, ten times in a second: if all workers hang,
 * nobody else does. One thread.
 */
public final class QueueSweeper implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger("rpc.server");

	private static final long BEAT_MILLIS = 100;

	private static final int BEATS_OF_SECOND = 10;

	private final WorkerPoolStats pool;

	private final CallScheduler queue;

	private final List<MinServiceTime> times;

	private final TransportRecorder recorder;

	/** Runs the beats. */
	@SuppressWarnings("NullAway.Init")
	private ScheduledExecutorService loop;

	private int beat;

	/** Whether a call waited at the last beat. */
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
		loop.scheduleWithFixedDelay(this, BEAT_MILLIS, BEAT_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** One that fails is not the last. */
	@Override
	public void run() {
		try {
			boolean waits = this.pool.hasWaiting();
			if (waits && this.waited) {
				sweep();
				tell();
			}
			this.waited = waits;
			this.beat++;
			if (this.beat % BEATS_OF_SECOND == 0) {
				this.times.forEach(MinServiceTime::rotate);
			}
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
		}
	}

	/** In parts, so that others on this thread have their turns. */
	private void sweep() {
		try {
			if (this.queue.sweep()) {
				this.loop.execute(this::sweep);
			}
		}
		catch (RuntimeException | Error ex) {
			failed(ex);
		}
	}

	/** While no thread takes a call, none could tell how long calls wait. */
	private void tell() {
		long nanos = this.queue.longestWait();
		if (nanos > 0) {
			this.recorder.started(nanos);
		}
	}

	private static void failed(Throwable cause) {
		logger.warn("Looking at the calls that wait failed", cause);
	}

}
