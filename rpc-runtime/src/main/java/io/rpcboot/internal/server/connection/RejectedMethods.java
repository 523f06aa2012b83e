package io.rpcboot.internal.server.connection;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.RpcStatus;

/**
 * The method numbers of a connection that were refused, and why. Event loop only.
 */
public final class RejectedMethods {

	private final CallRejector refusals;

	private final List<RejectedBinding> refused = new ArrayList<>();

	public RejectedMethods(CallRejector refusals) {
		this.refusals = refusals;
	}

	void add(RejectedBinding why) {
		this.refused.add(why);
	}

	/**
	 * Refuse a call of a number that no method has.
	 * @param counted whether it was counted as in flight
	 */
	void refuse(UnboundCall call, boolean counted) {
		for (RejectedBinding each : this.refused) {
			if (each.covers(call.code())) {
				refuse(call, each.status(), each.why(call.code()), counted);
				return;
			}
		}
		refuse(call, RpcStatus.UNIMPLEMENTED, "method number %d was never bound".formatted(call.code()), counted);
	}

	private void refuse(UnboundCall call, RpcStatus status, String why, boolean counted) {
		this.refusals.refuse(call.oneWay(), call.callId(), status, why, call.body().length, counted);
	}

}
