package io.rpcboot.context;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import io.rpcboot.internal.context.CurrentTask;
import org.jspecify.annotations.Nullable;

/**
 * What the calls of a piece of code have beside their arguments:
 *
 * <pre>{@code
 * User user = CallOptions.with("tenant", "acme").timeout(Duration.ofMillis(200)).call(() -> users.getUser(1));
 * }</pre>
 *
 * It holds for each call that the calling thread makes within {@link #call} or
 * {@link #run}; inside of another one, what is set here goes before what is set there.
 * Immutable.
 */
public final class CallOptions {

	private static final CallOptions NONE = new CallOptions(Attachments.none(), null, false, null);

	private final Attachments attachments;

	private final @Nullable Duration timeout;

	private final boolean detached;

	private final @Nullable Consumer<Attachments> replyListener;

	private CallOptions(Attachments attachments, @Nullable Duration timeout, boolean detached,
			@Nullable Consumer<Attachments> replyListener) {
		this.attachments = attachments;
		this.timeout = timeout;
		this.detached = detached;
		this.replyListener = replyListener;
	}

	/**
	 * Nothing beside the arguments.
	 * @return the start of what is to be set
	 */
	public static CallOptions none() {
		return NONE;
	}

	/**
	 * Send an attachment along.
	 * @param name as for {@link Attachments#put}
	 * @param value its text
	 * @return options with nothing else
	 * @throws IllegalArgumentException as for {@link Attachments#put}
	 */
	public static CallOptions with(String name, String value) {
		return NONE.and(name, value);
	}

	/**
	 * Send one more attachment along.
	 * @param name as for {@link Attachments#put}
	 * @param value its text
	 * @return changed options
	 * @throws IllegalArgumentException as for {@link Attachments#put}
	 */
	public CallOptions and(String name, String value) {
		return and(new Attachments().put(name, value));
	}

	/**
	 * Send more attachments along.
	 * @param more in place of those of the same names
	 * @return changed options
	 */
	public CallOptions and(Attachments more) {
		Attachments all = this.attachments.copy().putAll(more);
		all.fix("they belong to CallOptions; use and(name, value)");
		return new CallOptions(all, this.timeout, this.detached, this.replyListener);
	}

	/**
	 * Set the time allowed for each call, in place of that of method and reference. A
	 * call that is made for another one still has at most what that has left.
	 * @param timeout more than 0
	 * @return changed options
	 * @throws IllegalArgumentException if it is not more than 0
	 */
	public CallOptions timeout(Duration timeout) {
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("timeout: %s (expected: more than 0)".formatted(timeout));
		}
		return new CallOptions(this.attachments, timeout, this.detached, this.replyListener);
	}

	/**
	 * Let the calls go on whatever becomes of the call for which they are made: neither
	 * its deadline nor its end counts. Its attachments are passed on as always.
	 * @return changed options
	 */
	public CallOptions detached() {
		return new CallOptions(this.attachments, this.timeout, true, this.replyListener);
	}

	/**
	 * Look at the attachments of each answer.
	 * @param listener told of each result and declared exception, and of each failure
	 * that came with attachments, before the caller goes on, by the thread that goes on:
	 * the calling one, or the one that completes the future; empty attachments if none
	 * came. What it throws is logged
	 * @return changed options
	 */
	public CallOptions onReply(Consumer<Attachments> listener) {
		return new CallOptions(this.attachments, this.timeout, this.detached, listener);
	}

	/**
	 * Run something that calls.
	 * @param task run by the calling thread
	 * @param <T> the type of its result
	 * @return its result
	 * @throws Exception what it throws
	 */
	public <T> T call(Callable<T> task) throws Exception {
		return CurrentTask.carrying(scope(), task);
	}

	/**
	 * Run something that calls.
	 * @param task run by the calling thread
	 */
	public void run(Runnable task) {
		CurrentTask.carrying(scope(), task);
	}

	private CallScope scope() {
		CallOptions around = current();
		return new CallScope(RpcContext.current(), (around != null) ? around.overriddenBy(this) : this);
	}

	private CallOptions overriddenBy(CallOptions inner) {
		Attachments all = this.attachments.copy().putAll(inner.attachments);
		all.fix("they belong to CallOptions; use and(name, value)");
		return new CallOptions(all, (inner.timeout != null) ? inner.timeout : this.timeout,
				inner.detached || this.detached,
				(inner.replyListener != null) ? inner.replyListener : this.replyListener);
	}

	/**
	 * The options with which the calling thread calls.
	 * @return null if none were set
	 */
	public static @Nullable CallOptions current() {
		return (CurrentTask.carried() instanceof CallScope scope) ? scope.options() : null;
	}

	/**
	 * What is sent along.
	 * @return what cannot be changed
	 */
	public Attachments attachments() {
		return this.attachments;
	}

	/**
	 * The time allowed for each call.
	 * @return null for that of method and reference
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Whether the calls are {@link #detached()}.
	 * @return true if they are
	 */
	public boolean isDetached() {
		return this.detached;
	}

	/**
	 * Who looks at the attachments of answers.
	 * @return null for nobody
	 */
	public @Nullable Consumer<Attachments> replyListener() {
		return this.replyListener;
	}

}
