package io.rpcboot.internal.transport.binary;

import io.rpcboot.internal.transport.frame.WriteDecision;
import org.jspecify.annotations.Nullable;

/** A control frame, which needs no window. */
public final class ControlFrame extends BinaryFrame {

	private final @Nullable Runnable afterwards;

	/**
	 * Creates a frame.
	 * @param type its type
	 * @param code its code
	 * @param callId its call id
	 * @param body its body
	 */
	public ControlFrame(int type, int code, long callId, byte[] body) {
		this(type, code, callId, body, null);
	}

	/**
	 * Creates a frame.
	 * @param type its type
	 * @param code its code
	 * @param callId its call id
	 * @param body its body
	 * @param afterwards run after the write or the rejection, null for nothing
	 */
	public ControlFrame(int type, int code, long callId, byte[] body, @Nullable Runnable afterwards) {
		super(type, body);
		this.code = (char) code;
		this.callId = callId;
		this.afterwards = afterwards;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		return writable ? WriteDecision.WRITE : WriteDecision.BLOCKED_BY_SOCKET;
	}

	@Override
	public void onRejected() {
		onWriteComplete(false);
	}

	@Override
	public boolean wantsWriteResult() {
		return this.afterwards != null;
	}

	@Override
	public void onWriteComplete(boolean written) {
		if (this.afterwards != null) {
			this.afterwards.run();
		}
	}

}
