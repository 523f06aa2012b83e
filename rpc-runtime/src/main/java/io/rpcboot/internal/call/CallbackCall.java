package io.rpcboot.internal.call;

import org.jspecify.annotations.Nullable;

/**
 * Call of a callback: what the server sends while the call runs.
 *
 * @param callback index among the callbacks of the method
 * @param method number of the method in the interface; {@link #UNKNOWN} for one that this
 * side does not have
 * @param id number that its reply has
 * @param arguments the arguments
 * @param unreadable reason why the arguments cannot be read, null if they were
 */
public record CallbackCall(int callback, int method, long id, @Nullable Object[] arguments,
		@Nullable RuntimeException unreadable) {

	/** Number of a method that this side does not have. */
	public static final int UNKNOWN = -1;

	/**
	 * Last element behind the calls: the result of the method.
	 *
	 * @param value null for no result
	 */
	public record End(@Nullable Object value) {
	}

}
