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
 * A question that is asked again and again, for registries that tell nothing by
 * themselves. At most one is under way, on a thread of its own, so one that hangs delays
 * no other and no more of it pile up; after half a minute it is interrupted. What a
 * failure leaves is the answer before it. Thread-safe; nothing blocks.
 *
 * @param <T> the type of the answers
 */
public final class Lookup<T> implements AutoCloseable {

	/** Who cannot reach an instance has the question asked at most once in this time. */
	public static final Duration LEAST_PAUSE = Duration.ofSeconds(1);

	private static final Duration LONGEST = Duration.ofSeconds(30);

	private static final Logger logger = LoggerFactory.getLogger("rpc.registry");

	private final String name;

	private final Callable<T> question;

	private final Consumer<T> listener;

	private final long intervalNanos;

	private final LookupThreads threads;

	/** When it is asked next; null while it is under way, and before the first time. */
	private @Nullable Future<?> next;

	private long nextNanos;

	/** What asks now, null if nobody does. */
	private @Nullable Thread asking;

	private boolean underWay;

	/** Whether it is to be asked again soon after the one that is under way. */
	private boolean wanted;

	private boolean asked;

	private long begunNanos;

	private boolean closed;

	/** Why the latest failed or does not end; empty if it did not and does. */
	private String problem = "";

	private long problemNanos;

	/**
	 * Set up a question; {@link #now()} asks it for the first time.
	 * @param name what is looked up, for people
	 * @param question asked on a thread that may block
	 * @param listener told each answer, one at a time, on the same thread
	 * @param interval pause between an answer and the next question
	 * @param threads where it runs
	 */
	public Lookup(String name, Callable<T> question, Consumer<T> listener, Duration interval, LookupThreads threads) {
		this.name = name;
		this.question = question;
		this.listener = listener;
		this.intervalNanos = interval.toNanos();
		this.threads = threads;
	}

	/**
	 * Ask at once, because there is a reason to think that the answer has changed. Within
	 * {@link #LEAST_PAUSE} of the latest question it waits for the end of that time.
	 */
	public synchronized void now() {
		if (this.underWay) {
			this.wanted = true;
			return;
		}
		schedule(this.asked ? LEAST_PAUSE.toNanos() - (this.threads.now() - this.begunNanos) : 0);
	}

	/**
	 * What is wrong, and with what.
	 * @return empty if the latest question was answered
	 */
	public synchronized String problem() {
		return this.problem.isEmpty() ? "" : "%s: %s, for %d s".formatted(this.name, this.problem,
				TimeUnit.NANOSECONDS.toSeconds(this.threads.now() - this.problemNanos));
	}

	/** Ask no more. Twice does nothing. */
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
			this.closed = true; // the threads have ended
		}
	}

	private synchronized void begin() {
		this.next = null;
		if (this.closed || this.underWay) {
			return;
		}
		this.underWay = true;
		this.asked = true;
		this.wanted = false;
		long begun = this.threads.now();
		this.begunNanos = begun;
		try {
			Future<?> watch = this.threads.timer()
				.schedule(() -> hangs(begun), LONGEST.toNanos(), TimeUnit.NANOSECONDS);
			this.threads.workers().execute(() -> ask(watch));
		}
		catch (Throwable ex) { // no thread is to be had
			ended(ex);
		}
	}

	private void ask(Future<?> watch) {
		if (!enter()) {
			return;
		}
		try {
			T answer = this.question.call();
			tell(answer);
			ended(null);
		}
		catch (Throwable ex) {
			ended(ex);
		}
		finally {
			watch.cancel(false);
		}
	}

	private synchronized boolean enter() {
		this.asking = Thread.currentThread();
		return !this.closed;
	}

	private void tell(T answer) {
		synchronized (this) {
			if (this.closed) {
				return;
			}
		}
		try {
			this.listener.accept(answer);
		}
		catch (Throwable ex) { // the next answer comes all the same
			logger.warn("Listener of {} failed", this.name, ex);
		}
	}

	private synchronized void ended(@Nullable Throwable failure) {
		this.asking = null;
		this.underWay = false;
		Thread.interrupted(); // of one that hung: the thread goes on with another task
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
		schedule(this.wanted ? LEAST_PAUSE.toNanos() - (this.threads.now() - this.begunNanos) : this.intervalNanos);
	}

	private synchronized void hangs(long begunNanos) {
		if (this.underWay && this.begunNanos == begunNanos && !this.closed) {
			fails("no answer");
			if (this.asking != null) {
				this.asking.interrupt();
			}
		}
	}

	private void fails(String problem) {
		if (this.problem.isEmpty()) {
			this.problemNanos = this.threads.now();
			logger.warn("{}: the look-up fails: {}; what was known before holds", this.name, problem);
		}
		this.problem = problem;
	}

}
