package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.grpc.StreamHandler;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a call that the server itself offers, held until its caller is known and
 * permitted. Their memory stays in use, and the window of the stream is not restored.
 * Event loop only.
 */
final class GuardedRequests implements StreamHandler.Requests {

	/** Maximum of messages that wait for the check of credentials. */
	private static final int MAX_WAITING = 16;

	private final StreamHandler.Responses responses;

	/** Requests that wait; empty once they were handed on or dropped. */
	private final List<Consumer<StreamHandler.Requests>> waiting = new ArrayList<>();

	/** Takes the requests; null while they wait, and if they are refused. */
	private StreamHandler.@Nullable Requests target;

	/** True once the call was refused or has ended. */
	private boolean closed;

	GuardedRequests(StreamHandler.Responses responses) {
		this.responses = responses;
	}

	/** Begins the call with the requests that wait, unless it has ended. */
	void permit(Function<StreamHandler.Responses, StreamHandler.Requests> handler) {
		if (this.closed) {
			return;
		}
		StreamHandler.Requests begun = handler.apply(this.responses);
		this.target = begun;
		if (!this.waiting.isEmpty()) {
			List<Consumer<StreamHandler.Requests>> held = List.copyOf(this.waiting);
			this.waiting.clear();
			held.forEach((each) -> each.accept(begun));
			this.responses.messagesTaken();
		}
	}

	/** Ends the call and drops the requests that wait. */
	void refuse(RpcStatus status, String message) {
		if (!this.closed) {
			drop();
			this.responses.close(status, message);
		}
	}

	private void drop() {
		this.closed = true;
		this.waiting.clear();
	}

	private void accept(Consumer<StreamHandler.Requests> request) {
		if (this.target != null) {
			request.accept(this.target);
		}
		else if (this.waiting.size() >= MAX_WAITING) {
			refuse(RpcStatus.RESOURCE_EXHAUSTED, "too many messages before the credentials were checked");
		}
		else if (!this.closed) {
			this.waiting.add(request);
		}
	}

	@Override
	public void onMessage(byte[] bytes, int offset, int length) {
		if (this.target != null) {
			this.target.onMessage(bytes, offset, length);
			return;
		}
		byte[] copy = Arrays.copyOfRange(bytes, offset, offset + length);
		accept((target) -> target.onMessage(copy, 0, length));
	}

	@Override
	public boolean keepsMessages() {
		return !this.waiting.isEmpty();
	}

	@Override
	public void onHalfClose() {
		accept(StreamHandler.Requests::onHalfClose);
	}

	@Override
	public void onEnd() {
		drop();
		if (this.target != null) {
			this.target.onEnd();
		}
	}

}
