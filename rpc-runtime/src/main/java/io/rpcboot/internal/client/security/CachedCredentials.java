package io.rpcboot.internal.client.security;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.rpcboot.internal.logging.RateLimitedLogger;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.transport.Options;
import org.jspecify.annotations.Nullable;

/**
 * Credentials of one provider. They are asked for when the first connection needs them,
 * and again before they expire: after 80 % of their life, but 30 s before their end if
 * they live for more than a minute, and after half of their life otherwise. A failed
 * provider is asked again after 0.5 s, and then less often, while the older credentials
 * hold. Any thread.
 */
public final class CachedCredentials {

	private static final Duration MARGIN = Duration.ofSeconds(30);

	/** Share of the life after which credentials are renewed, in percent. */
	private static final int USED_PERCENT = 80;

	/**
	 * Shortest pause after an answer. A server takes new credentials of a connection once
	 * a second.
	 */
	private static final Duration MIN_PAUSE = Duration.ofSeconds(2);

	/** Shortest pause before credentials are replaced because a server refuses them. */
	private static final Duration PAUSE_OF_REFUSED = Duration.ofSeconds(5);

	private static final Duration MIN_BACKOFF = Duration.ofMillis(500);

	private static final Duration MAX_BACKOFF = Duration.ofSeconds(10);

	private static final int MAX_DOUBLINGS = 5;

	private static final int MAX_MESSAGE = 300;

	private final CredentialsProvider provider;

	/** Runs the provider, on a thread that may block. */
	private final Executor threads;

	private final ScheduledExecutorService timer;

	private final InstantSource clock;

	private final RateLimitedLogger log = new RateLimitedLogger("rpc.client", System::nanoTime);

	private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

	/** Newest credentials, null before the first ones; they may have expired. */
	private volatile @Nullable Credentials newest;

	private final List<Consumer<String>> waiting = new ArrayList<>();

	private boolean asking;

	/** Next question, null without one. */
	private @Nullable Future<?> next;

	/** Time of the latest question. */
	private Instant asked = Instant.MIN;

	/** True if the provider was asked because of a doubt since the latest renewal. */
	private boolean isDoubted;

	/** Failures since the last success. */
	private int failures;

	/** Reason of the latest failure. */
	private String problem = "";

	/**
	 * Creates the credentials of a provider, which is not asked yet.
	 * @param threads runs the provider, on a thread that may block
	 * @param timer schedules questions; must not be blocked
	 */
	public CachedCredentials(CredentialsProvider provider, Executor threads, ScheduledExecutorService timer,
			InstantSource clock) {
		this.provider = provider;
		this.threads = threads;
		this.timer = timer;
		this.clock = clock;
	}

	/** Adds a listener, run when there are other credentials; must not block. */
	public void onRenewal(Runnable listener) {
		this.listeners.add(listener);
	}

	/** Returns the newest credentials, null before the first ones. */
	public @Nullable Credentials newest() {
		return this.newest;
	}

	/** Returns true if there are credentials that have not expired. */
	public boolean areValid() {
		Credentials known = this.newest;
		return known != null && isValid(known);
	}

	private boolean isValid(Credentials known) {
		return this.clock.instant().isBefore(known.expiresAt());
	}

	/**
	 * Waits for valid credentials, without a thread.
	 * @param atMost longest time to wait
	 * @param then gets an empty text once {@link #areValid}, else the reason of the
	 * failure; at once while a failed provider is not to be asked again
	 */
	public void await(Duration atMost, Consumer<String> then) {
		String failed = "";
		synchronized (this) {
			boolean valid = areValid();
			if (!valid && (this.asking || this.failures == 0)) {
				schedule(() -> expire(then, atMost), atMost);
				this.waiting.add(then);
				ask();
				return;
			}
			failed = valid ? "" : this.problem;
		}
		then.accept(failed);
	}

	private void expire(Consumer<String> then, Duration atMost) {
		synchronized (this) {
			if (!this.waiting.remove(then)) {
				return;
			}
		}
		then.accept("no answer of the provider of credentials within %d ms".formatted(atMost.toMillis()));
	}

	/** Asks for other credentials, because a server refuses these. */
	public synchronized void refused() {
		if (mayAskNow()) {
			ask();
		}
	}

	private boolean mayAskNow() {
		return !this.clock.instant().isBefore(this.asked.plus(PAUSE_OF_REFUSED)) && this.failures == 0;
	}

	/**
	 * Asks for other credentials, because a server may refuse these: it does not tell
	 * whether it or the method has answered. Once until they are renewed.
	 */
	public synchronized void doubted() {
		if (!this.isDoubted && mayAskNow()) {
			this.isDoubted = true;
			ask();
		}
	}

	private synchronized void renew() {
		this.isDoubted = false;
		ask();
	}

	private synchronized void ask() {
		if (this.asking) {
			return;
		}
		this.asking = true;
		this.asked = this.clock.instant();
		if (this.next != null) {
			this.next.cancel(false);
		}
		try {
			this.threads.execute(this::answer);
		}
		catch (Throwable ex) { // no thread
			this.asking = false;
			throw ex;
		}
	}

	/** Asks the provider. Thread that may block. */
	private void answer() {
		try {
			Credentials given = this.provider.get();
			boolean usable = given != null && isValid(given);
			answered(given, usable ? "" : "the provider of credentials has returned none that are valid now");
		}
		catch (Throwable ex) {
			String message = (ex.getMessage() != null) ? ex.getMessage() : ex.getClass().getName();
			answered(null, "no credentials: " + PrintableText.of(message, MAX_MESSAGE));
			this.log.warn("Credentials not renewed", this.provider.getClass(), () -> message, null);
		}
	}

	private void answered(@Nullable Credentials given, String why) {
		List<Consumer<String>> done;
		boolean changed = false;
		synchronized (this) {
			this.asking = false;
			Credentials before = this.newest;
			if (given != null && why.isEmpty()) {
				changed = before == null || !isValid(before) || !before.header().equals(given.header());
				this.newest = given;
				this.failures = 0;
			}
			else {
				this.failures++;
			}
			this.problem = why;
			done = List.copyOf(this.waiting);
			this.waiting.clear();
			Duration pause = (this.failures > 0) ? backoff() : untilRenewal();
			this.next = (pause != null) ? schedule(this::renew, pause) : null;
		}
		done.forEach((each) -> each.accept(why));
		if (changed) {
			this.listeners.forEach(Runnable::run);
		}
	}

	/** Schedules a task. Returns null if the client is closed. */
	private @Nullable Future<?> schedule(Runnable task, Duration pause) {
		try {
			return this.timer.schedule(task, Options.nanos(pause), TimeUnit.NANOSECONDS);
		}
		catch (RejectedExecutionException ex) {
			return null;
		}
	}

	private Duration backoff() {
		long millis = MIN_BACKOFF.toMillis() << Math.min(this.failures - 1, MAX_DOUBLINGS);
		return Duration.ofMillis(
				(long) (Math.min(millis, MAX_BACKOFF.toMillis()) * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
	}

	/** Returns the time until credentials are renewed, null for those without an end. */
	private @Nullable Duration untilRenewal() {
		Credentials known = this.newest;
		if (known == null || known.expiresAt().equals(Instant.MAX)) {
			return null;
		}
		Duration life = Duration.between(this.clock.instant(), known.expiresAt());
		Duration early = life.multipliedBy(USED_PERCENT).dividedBy(100);
		Duration before = life.minus(MARGIN);
		Duration half = life.dividedBy(2);
		Duration pause = (early.compareTo(before) < 0) ? early : before;
		pause = (pause.compareTo(half) > 0) ? pause : half;
		return (pause.compareTo(MIN_PAUSE) > 0) ? pause : MIN_PAUSE;
	}

	/** Returns a text without the credentials. */
	@Override
	public String toString() {
		return "credentials of " + this.provider.getClass().getName();
	}

}
