package io.rpcboot.client;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * Results of a {@link Broadcast} by instance. Immutable.
 *
 * <pre>{@code
 * int evicted = report.throwIfFailed().values().stream().mapToInt(Integer::intValue).sum();
 * }</pre>
 *
 * @param method name of the service and signature of the method
 * @param replies one for each instance that was known when the call began, in the order
 * of the registry
 * @param <R> the return type of the method, or the type in its future
 * @since 0.1.0
 */
public record BroadcastReport<R extends @Nullable Object>(String method, List<Reply<R>> replies) {

	/**
	 * Creates a report.
	 * @param method name of the service and signature of the method
	 * @param replies one for each instance
	 */
	public BroadcastReport {
		replies = List.copyOf(replies);
	}

	/**
	 * Result of the call at one instance. A one-way call succeeds when the socket has
	 * taken it.
	 *
	 * @param endpoint address of the instance
	 * @param id its id in the registry, empty for a static address
	 * @param value the returned value; null if the call has failed, and for {@code void}
	 * @param failure an {@link RpcException} or a declared exception; null if the call
	 * has succeeded
	 * @param <R> the return type of the method
	 */
	public record Reply<R extends @Nullable Object>(Endpoint endpoint, String id, @Nullable R value,
			@Nullable Throwable failure) {

		/**
		 * Returns true if the call has succeeded.
		 * @return false if it has failed or has not reached the instance
		 */
		public boolean isOk() {
			return this.failure == null;
		}

		/**
		 * Returns the status of the call.
		 * @return {@code OK}, {@code DECLARED} for a declared exception, or the status of
		 * the {@link RpcException}
		 */
		public RpcStatus status() {
			if (this.failure == null) {
				return RpcStatus.OK;
			}
			return (this.failure instanceof RpcException ended) ? ended.status() : RpcStatus.DECLARED;
		}

		/**
		 * Returns true if the method may have executed there.
		 * @return false only if it certainly has not
		 */
		public boolean mayHaveExecuted() {
			return !(this.failure instanceof RpcException ended) || ended.mayHaveExecuted();
		}

	}

	/**
	 * Returns the values of the calls that have succeeded.
	 * @return values in the order of the replies; an element is null if the method has
	 * returned null
	 */
	public List<R> values() {
		@SuppressWarnings("NullAway") // null only if R allows it
		List<R> values = this.replies.stream().filter(Reply::isOk).map(Reply::value).collect(Collectors.toList());
		return Collections.unmodifiableList(values);
	}

	/**
	 * Returns the calls that have failed.
	 * @return failed calls in the order of the replies, empty if there are none
	 */
	public List<Reply<R>> failures() {
		return this.replies.stream().filter((each) -> !each.isOk()).toList();
	}

	/**
	 * Throws if a call has failed.
	 * @return this report if all calls have succeeded
	 * @throws RpcException with the status of the first failure, which is its cause; the
	 * other failures are suppressed exceptions, and the message names all
	 */
	public BroadcastReport<R> throwIfFailed() {
		List<Reply<R>> failures = failures();
		if (failures.isEmpty()) {
			return this;
		}
		RpcException thrown = new RpcException(failures.get(0).status(), toString(),
				this.replies.stream().anyMatch(Reply::mayHaveExecuted), null, failures.get(0).failure(), Map.of(),
				this.method);
		failures.stream().skip(1).map(Reply::failure).forEach(thrown::addSuppressed);
		throw thrown;
	}

	/**
	 * Describes the report in a message.
	 * @return the method, the number of successes, and each failure
	 */
	@Override
	public String toString() {
		List<Reply<R>> failures = failures();
		String counts = "%s at every instance: %d of %d succeeded".formatted(this.method,
				this.replies.size() - failures.size(), this.replies.size());
		return failures.stream()
			.map((each) -> each.endpoint() + ": " + describe(each.failure()))
			.collect(Collectors.joining("; ", counts + (failures.isEmpty() ? "" : "; "), ""));
	}

	private static String describe(@Nullable Throwable failure) {
		return (failure instanceof RpcException ended)
				? Objects.requireNonNullElseGet(ended.getMessage(), ended::toString) : String.valueOf(failure);
	}

}
