package io.rpcboot.registry;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeated query, for registries that do not notify of changes. At most one query runs at
 * a time, on a thread of its own, so that a query that hangs delays no other. It is
 * interrupted after 30 s. A query that fails leaves the earlier answer valid.
 * Thread-safe; no method blocks.
 *
 * @param <T> the type of the answers
 * @since 0.1.0
 */
public final class Lookup<T> implements AutoCloseable {

	/** Shortest time between the starts of two queries. */
	public static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger("rpc.registry");

	private final String name;

	private final Callable<T> question;

	private final Consumer<T> listener;

	private final long intervalNanos;

	private final LookupThreads threads;

	/** Timer of the next query; null while a query runs, and before the first. */
	private @Nullable Future<?> next;

	private long nextNanos;

	/** Thread of the running query, null if there is none. */
	private @Nullable Thread asking;

	private boolean running;

	/** True if {@link #now()} was called while a query runs. */
	private boolean wanted;

	private boolean asked;

	private long startedNanos;

	private boolean closed;

	/** Problem of the latest query; empty if it was answered. */
	private String problem = "";

	private long problemNanos;

	/**
	 * Creates a look-up; {@link #now()} starts it.
	 * @param name name of what is queried, for messages
	 * @param question the query, called on a thread that may block
	 * @param listener receives each answer, one at a time, on the same thread
	 * @param interval pause between an answer and the next query
	 * @param threads runs the queries
	 */
	public Lookup(String name, Callable<T> question, Consumer<T> listener, Duration interval, LookupThreads threads) {
		this.name = name;
		this.question = question;
		this.listener = listener;
		this.intervalNanos = interval.toNanos();
		this.threads = threads;
	}

	/**
	 * Queries at once, because the answer may have changed, but not within
	 * {@link #LEAST_PAUSE} of the start of the latest query.
	 */
	public synchronized void now() {
		if (this.running) {
			this.wanted = true;
			return;
		}
		schedule(this.asked ? LEAST_PAUSE.toNanos() - (this.threads.now() - this.startedNanos) : 0);
	}

	/**
	 * Returns the problem of the latest query.
	 * @return name, problem and age; empty if the query was answered
	 */
	public synchronized String problem() {
		return this.problem.isEmpty() ? "" : "%s: %s, for %d s".formatted(this.name, this.problem,
				TimeUnit.NANOSECONDS.toSeconds(this.threads.now() - this.problemNanos));
	}

	/** Ends the look-up. Repeated calls have no effect. */
	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.next != null) {
			this.next.cancel(false);
		}
		if (this.asking != null) {
			this.asking.interrupt();
		}
	}

	private synchronized void schedule(long pauseNanos) {
		long pause = Math.max(0, pauseNanos);
		long due = this.threads.now() + pause;
		if (this.closed || (this.next != null && this.nextNanos - due <= 0)) {
			return;
		}
		if (this.next != null) {
			this.next.cancel(false);
		}
		try {
			this.next = this.threads.timer().schedule(this::begin, pause, TimeUnit.NANOSECONDS);
			this.nextNanos = due;
		}
		catch (RejectedExecutionException ex) {
			this.closed = true; // the threads are closed
		}
	}

	private synchronized void begin() {
		this.next = null;
		if (this.closed || this.running) {
			return;
		}
		this.running = true;
		this.asked = true;
		this.wanted = false;
		long begun = this.threads.now();
		this.startedNanos = begun;
		try {
			Future<?> watch = this.threads.timer()
				.schedule(() -> hangs(begun), LONGEST.toNanos(), TimeUnit.NANOSECONDS);
			this.threads.workers().execute(() -> query(watch));
		}
		catch (Throwable ex) { // no thread can be started
			finished(ex);
		}
	}

	private void query(Future<?> watch) {
		if (!begun()) {
			return;
		}
		try {
			T answer = this.question.call();
			deliver(answer);
			finished(null);
		}
		catch (Throwable ex) {
			finished(ex);
		}
		finally {
			watch.cancel(false);
		}
	}

	private synchronized boolean begun() {
		this.asking = Thread.currentThread();
		return !this.closed;
	}

	private void deliver(T answer) {
		synchronized (this) {
			if (this.closed) {
				return;
			}
		}
		try {
			this.listener.accept(answer);
		}
		catch (Throwable ex) { // the next answer is delivered
			logger.warn("Listener of {} failed", this.name, ex);
		}
	}

	private synchronized void finished(@Nullable Throwable failure) {
		this.asking = null;
		this.running = false;
		Thread.interrupted(); // the thread may run other tasks
		if (this.closed) {
			return;
		}
		if (failure != null) {
			fails(failure.getClass().getSimpleName()
					+ ((failure.getMessage() != null) ? ": " + failure.getMessage() : ""));
		}
		else if (!this.problem.isEmpty()) {
			this.problem = "";
			logger.info("{}: the look-up has an answer again", this.name);
		}
		schedule(this.wanted ? LEAST_PAUSE.toNanos() - (this.threads.now() - this.startedNanos) : this.intervalNanos);
	}

	private synchronized void hangs(long startedNanos) {
		if (this.running && this.startedNanos == startedNanos && !this.closed) {
			fails("no answer");
			if (this.asking != null) {
				this.asking.interrupt();
			}
		}
	}

	private void fails(String problem) {
		if (this.problem.isEmpty()) {
			this.problemNanos = this.threads.now();
			logger.warn("{}: the look-up fails: {}; the earlier answer stays valid", this.name, problem);
		}
		this.problem = problem;
	}

}
