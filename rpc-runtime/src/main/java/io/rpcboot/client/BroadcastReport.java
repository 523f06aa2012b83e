package io.rpcboot.client;

import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import org.jspecify.annotations.Nullable;

/**
 * How a call went at every instance. Immutable.
 *
 * @param method what was called, for people
 * @param replies one for each instance that was known when the call began, in the order
 * of the registry
 * @param <R> what the method returns; of a future what is in it
 */
public record BroadcastReport<R extends @Nullable Object>(String method, List<Reply<R>> replies) {

	/**
	 * Make a report.
	 * @param method what was called
	 * @param replies one for each instance
	 */
	public BroadcastReport {
		replies = List.copyOf(replies);
	}

	/**
	 * How the call went at one instance.
	 *
	 * @param endpoint where it listens
	 * @param id its id in the registry, empty for a static address
	 * @param value what it has returned; null if it has failed, and for {@code void}. Of
	 * a one-way call nothing is known but that it was handed to the socket
	 * @param failure null if it has not failed: an {@link RpcException}, or what the
	 * interface declares
	 * @param <R> what the method returns
	 */
	public record Reply<R extends @Nullable Object>(Endpoint endpoint, String id, @Nullable R value,
			@Nullable Throwable failure) {

		/**
		 * Whether the method has returned there.
		 * @return false if it has failed, or was not reached
		 */
		public boolean isOk() {
			return this.failure == null;
		}

		/**
		 * How the call ended.
		 * @return {@code OK}, {@code DECLARED} for what the interface declares, or that
		 * of the failure
		 */
		public RpcStatus status() {
			if (this.failure == null) {
				return RpcStatus.OK;
			}
			return (this.failure instanceof RpcException ended) ? ended.status() : RpcStatus.DECLARED;
		}

		/**
		 * Whether the method may have run there.
		 * @return false only if it certainly has not
		 */
		public boolean mayHaveExecuted() {
			return !(this.failure instanceof RpcException ended) || ended.mayHaveExecuted();
		}

	}

	/**
	 * The values of the instances that have returned one.
	 * @return in the order of the replies; null for null
	 */
	public List<R> values() {
		@SuppressWarnings("NullAway") // null is a value only of those whose type allows
										// it
		List<R> values = this.replies.stream().filter(Reply::isOk).map(Reply::value).collect(Collectors.toList());
		return Collections.unmodifiableList(values);
	}

	/**
	 * The instances at which the call has failed.
	 * @return empty if there is none
	 */
	public List<Reply<R>> failures() {
		return this.replies.stream().filter((each) -> !each.isOk()).toList();
	}

	/**
	 * Go on only if the call has succeeded everywhere.
	 * @return this
	 * @throws RpcException if it has failed somewhere: with the status of the first
	 * failure, which is its cause, the others suppressed, and a message that names all
	 */
	public BroadcastReport<R> throwIfFailed() {
		List<Reply<R>> failures = failures();
		if (failures.isEmpty()) {
			return this;
		}
		RpcException thrown = new RpcException(failures.get(0).status(), toString(),
				this.replies.stream().anyMatch(Reply::mayHaveExecuted), null, failures.get(0).failure());
		failures.stream().skip(1).map(Reply::failure).forEach(thrown::addSuppressed);
		throw thrown;
	}

	/**
	 * What happened, for people.
	 * @return the method, how many have succeeded, and each failure
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
		return (failure instanceof RpcException ended) ? String.valueOf(ended.getMessage()) : String.valueOf(failure);
	}

}
