package io.rpcboot.internal.server.connection.binary;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.server.services.ServiceContract;
import io.rpcboot.internal.server.services.ServiceContract.Binding;
import org.jspecify.annotations.Nullable;

/**
 * Method numbers of a connection that were rejected, with the reasons. Event loop only.
 */
final class RejectedMethods {

	private final CallRejector rejector;

	private final List<RejectedBinding> bindings = new ArrayList<>();

	/** Methods that the client may not call, by number. */
	private final Map<Integer, Denied> denied = new HashMap<>();

	RejectedMethods(CallRejector rejector) {
		this.rejector = rejector;
	}

	/** Method that the client may not call. */
	private record Denied(Invocation method, AccessDenial why) {
	}

	/**
	 * Range of numbers of a BIND of which some or all were rejected.
	 *
	 * @param first first number of the range
	 * @param count length of the range
	 * @param status status of the calls
	 * @param message one reason for all numbers; null if the binding has one for each
	 * @param binding reasons by number; null if the message is set
	 */
	record RejectedBinding(int first, int count, RpcStatus status, @Nullable String message,
			@Nullable Binding binding) {

		/** Length of a message that is repeated for each call, in characters. */
		private static final int MAX_MESSAGE = 400;

		boolean covers(int number) {
			return number >= this.first && number < this.first + this.count;
		}

		String why(int number) {
			if (this.binding != null) {
				return this.binding.why(number - this.first);
			}
			return (this.message != null) ? this.message : "";
		}

		/** Returns this with a message that is short enough to be kept. */
		private RejectedBinding shortened() {
			return (this.message == null || this.message.length() <= MAX_MESSAGE) ? this : new RejectedBinding(
					this.first, this.count, this.status, ServiceContract.cut(this.message, MAX_MESSAGE), this.binding);
		}

	}

	void add(RejectedBinding binding) {
		this.bindings.add(binding.shortened());
	}

	/** Denies a method to the client. */
	void deny(int number, Invocation method, AccessDenial why) {
		this.denied.put(number, new Denied(method, why));
	}

	/** Ends a denial. */
	void permit(int number) {
		this.denied.remove(number);
	}

	/**
	 * Returns the method of a call that is denied, but may have credentials of its own.
	 */
	@Nullable Invocation openWithCredentials(UnboundCall call) {
		Denied found = this.denied.get(call.code());
		boolean mayHave = (call.flags() & FrameHeader.FLAG_ATTACHMENTS) != 0;
		return (found != null && mayHave) ? found.method() : null;
	}

	/**
	 * Rejects a call by a number that is not bound.
	 * @param counted true if the call was counted as in flight
	 */
	void reject(UnboundCall call, boolean counted) {
		Denied found = this.denied.get(call.code());
		if (found != null) {
			this.rejector.logDenied(found.method().descriptor(), found.why());
			reject(call, found.why().status(), found.why().message(), counted);
			return;
		}
		for (RejectedBinding each : this.bindings) {
			if (each.covers(call.code())) {
				reject(call, each.status(), each.why(call.code()), counted);
				return;
			}
		}
		reject(call, RpcStatus.UNIMPLEMENTED, "method number %d was never bound".formatted(call.code()), counted);
	}

	private void reject(UnboundCall call, RpcStatus status, String why, boolean counted) {
		this.rejector.reject(call.oneWay(), call.callId(), status, why, call.body().length, counted);
	}

}
