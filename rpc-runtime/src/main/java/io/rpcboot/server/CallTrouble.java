package io.rpcboot.server;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.transport.Admission;
import io.rpcboot.metrics.CallRecorder;

/** What a call without trouble never does. Stands beside server call. */
final class CallTrouble {

	private CallTrouble() {
	}

	/** The caller no longer waits; the caller of a one-way call never did. */
	static void cancel(ServerCall call) {
		call.cancelled = !call.oneWay;
		call.connection.server().memory.giveUp(call);
		RunningStage stage = call.running;
		if (stage != null) {
			call.connection.server().runLater(stage::cancel);
		}
	}

	/** The connection is closed: nothing of the call is kept. */
	static void abandon(ServerCall call) {
		call.dropArguments();
		cancel(call);
	}

	/** The answer may not go yet. Returns how it waits. Event loop only. */
	static Admission waits(ServerCall call, Admission how) {
		if (!call.waited) {
			call.waited = true;
			call.connection.flow().watchWaiting();
		}
		return how;
	}

	/** Whether an answer has waited until its caller did not. Event loop only. */
	static boolean isStale(ServerCall call) {
		if (call.isTimeOver()) {
			call.status = RpcStatus.DEADLINE_EXCEEDED;
			call.connection.server().memory.countDropped();
			call.cancelled = true;
		}
		return call.cancelled;
	}

	/** The connection has ended before the answer went. Any thread. */
	static void rejected(ServerCall call) {
		call.forgetAnswer();
		CallRecorder recorder = call.method.recorder;
		if (recorder != null) {
			recorder.record(RpcStatus.CANCELLED, System.nanoTime() - call.startNanos);
		}
		call.connection.callEnded();
	}

}
