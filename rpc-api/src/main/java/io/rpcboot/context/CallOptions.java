package io.rpcboot.context;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

import io.rpcboot.internal.context.CurrentTask;
import org.jspecify.annotations.Nullable;

/**
 * Attachments, timeout and other options for the calls of a piece of code:
 *
 * <pre>{@code
 * User user = CallOptions.with("tenant", "acme")
 *     .timeout(Duration.ofMillis(200))
 *     .call(() -> users.getUser(1));
 * }</pre>
 *
 * They apply to each call that the calling thread makes within {@link #call} or
 * {@link #run}, and to calls that callbacks of the futures of such calls make. Options of
 * an inner piece of code override those of an outer one. Immutable.
 *
 * @since 0.1.0
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
	 * Returns options that set nothing, to start with.
	 * @return options without attachments and timeout
	 */
	public static CallOptions none() {
		return NONE;
	}

	/**
	 * Returns options with an attachment.
	 * @param name as for {@link Attachments#put}
	 * @param value the text
	 * @return options that set nothing else
	 * @throws IllegalArgumentException as for {@link Attachments#put}
	 */
	public static CallOptions with(String name, String value) {
		return NONE.and(name, value);
	}

	/**
	 * Adds an attachment, or replaces its value.
	 * @param name as for {@link Attachments#put}
	 * @param value the text
	 * @return changed options
	 * @throws IllegalArgumentException as for {@link Attachments#put}
	 */
	public CallOptions and(String name, String value) {
		return and(new Attachments().put(name, value));
	}

	/**
	 * Adds attachments, and replaces values of the same names.
	 * @param more the attachments, which are copied
	 * @return changed options
	 */
	public CallOptions and(Attachments more) {
		Attachments all = this.attachments.copy().putAll(more);
		all.freeze("they belong to CallOptions; use and(name, value)");
		return new CallOptions(all, this.timeout, this.detached, this.replyListener);
	}

	/**
	 * Sets the time allowed for each call. It overrides the timeout of the method and of
	 * the reference. A call that is made while another one is served has at most the
	 * remaining time of that one.
	 * @param timeout more than 0
	 * @return changed options
	 * @throws IllegalArgumentException if the timeout is not more than 0
	 */
	public CallOptions timeout(Duration timeout) {
		if (timeout.isNegative() || timeout.isZero()) {
			throw new IllegalArgumentException("timeout: %s (expected: more than 0)".formatted(timeout));
		}
		return new CallOptions(this.attachments, timeout, this.detached, this.replyListener);
	}

	/**
	 * Detaches the calls from the call that is being served: neither its deadline nor its
	 * cancellation applies to them. Attachments are forwarded as for other calls.
	 * @return changed options
	 */
	public CallOptions detached() {
		return new CallOptions(this.attachments, this.timeout, true, this.replyListener);
	}

	/**
	 * Sets a listener for the attachments of replies. It is called for each result and
	 * each declared exception, with empty attachments if the reply has none, and for each
	 * failure with attachments. The thread that continues calls it first: the calling
	 * thread, or the thread that completes the future.
	 * @param listener gets the attachments; exceptions that it throws are logged
	 * @return changed options
	 */
	public CallOptions onReply(Consumer<Attachments> listener) {
		return new CallOptions(this.attachments, this.timeout, this.detached, listener);
	}

	/**
	 * Calls a task with these options, in the calling thread.
	 * @param task the task
	 * @param <T> type of the result
	 * @return the result of the task
	 * @throws Exception if the task throws it
	 */
	public <T> T call(Callable<T> task) throws Exception {
		return CurrentTask.carrying(scope(), task);
	}

	/**
	 * Runs a task with these options, in the calling thread.
	 * @param task the task
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
		all.freeze("they belong to CallOptions; use and(name, value)");
		return new CallOptions(all, (inner.timeout != null) ? inner.timeout : this.timeout,
				inner.detached || this.detached,
				(inner.replyListener != null) ? inner.replyListener : this.replyListener);
	}

	/**
	 * Returns the options of the calling thread.
	 * @return the options, null outside of {@link #call} and {@link #run}
	 */
	public static @Nullable CallOptions current() {
		return (CurrentTask.carried() instanceof CallScope scope) ? scope.options() : null;
	}

	/**
	 * Returns the attachments of the calls.
	 * @return frozen attachments
	 */
	public Attachments attachments() {
		return this.attachments;
	}

	/**
	 * Returns the time allowed for each call.
	 * @return the timeout, null for that of the method or the reference
	 */
	public @Nullable Duration timeout() {
		return this.timeout;
	}

	/**
	 * Returns true if the calls are {@linkplain #detached() detached}.
	 * @return true after {@link #detached()}
	 */
	public boolean isDetached() {
		return this.detached;
	}

	/**
	 * Returns the listener for the attachments of replies.
	 * @return the listener, null for none
	 */
	public @Nullable Consumer<Attachments> replyListener() {
		return this.replyListener;
	}

}
