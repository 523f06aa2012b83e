package io.rpcboot.internal.server.builtin;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.RpcStatus;

/** Records the responses of a call. */
public final class RecordingResponses implements StreamHandler.Responses {

	public final List<byte[]> messages = new CopyOnWriteArrayList<>();

	volatile RpcStatus status;

	volatile String text;

	@Override
	public void send(byte[] message) {
		if (this.status == null) {
			this.messages.add(message);
		}
	}

	@Override
	public void close(RpcStatus status, String message) {
		if (this.status == null) {
			this.status = status;
			this.text = message;
		}
	}

}
