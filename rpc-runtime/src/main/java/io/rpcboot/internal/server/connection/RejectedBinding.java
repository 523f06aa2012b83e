package io.rpcboot.internal.server.connection;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.services.ServiceContract;
import io.rpcboot.internal.server.services.ServiceContract.Binding;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of a BIND of which some or all were not given.
 *
 * @param first the first number
 * @param count how many numbers the BIND asked for
 * @param status of their calls
 * @param message why, one text for all, null if the binding has one for each
 * @param binding what differs, null if there is one text
 */
record RejectedBinding(int first, int count, RpcStatus status, @Nullable String message, @Nullable Binding binding) {

	/** Of a text that is repeated for each call. */
	private static final int MAX_KEPT = 400;

	boolean covers(int number) {
		return number >= this.first && number < this.first + this.count;
	}

	String why(int number) {
		if (this.binding != null) {
			return this.binding.why(number - this.first);
		}
		return (this.message != null) ? this.message : "";
	}

	/** What a connection keeps of it. */
	RejectedBinding kept() {
		return (this.message == null || this.message.length() <= MAX_KEPT) ? this : new RejectedBinding(this.first,
				this.count, this.status, ServiceContract.cut(this.message, MAX_KEPT), this.binding);
	}

}
