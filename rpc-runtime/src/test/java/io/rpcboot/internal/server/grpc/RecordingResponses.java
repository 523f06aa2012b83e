package io.rpcboot.internal.server.grpc;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.rpcboot.RpcStatus;

/** Records the responses of a call. */
final class RecordingResponses implements StreamHandler.Responses {

	final List<byte[]> messages = new CopyOnWriteArrayList<>();

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
