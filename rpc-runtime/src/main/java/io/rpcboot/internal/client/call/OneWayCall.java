package io.rpcboot.internal.client.call;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.FrameHeader;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.metrics.CallRecorder;

/** Call without a reply: it ends when the socket has taken its bytes. */
public class OneWayCall extends AsyncCall {

	public OneWayCall(CallDispatcher reference, BoundMethod method, long startNanos) {
		super(FrameType.ONE_WAY, reference, method, startNanos);
	}

	@Override
	public boolean wantsWriteResult() {
		return true;
	}

	@Override
	public void onWriteComplete(boolean written) {
		CallTransport target = this.connection;
		if (target != null) {
			target.oneWayWritten();
		}
		if (written) {
			CallRecorder recorder = this.method.recorder;
			if (recorder != null) {
				recorder.carried(length() + FrameHeader.DEADLINE_LENGTH, 0);
			}
			completeWithReply(0, NOTHING, 0, 0, null);
		}
		else {
			fail(RpcStatus.UNAVAILABLE, "the connection was lost while writing");
		}
	}

	@Override
	public void completed() {
		RpcException lost = this.failure;
		if (lost != null) {
			this.reference.counts.oneWayLost(this.method.descriptor, lost);
		}
		countOut();
	}

}
