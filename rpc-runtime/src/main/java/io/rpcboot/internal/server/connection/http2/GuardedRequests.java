package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.grpc.StreamHandler;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a call that the server itself offers, held until its caller is known and
 * permitted. They are bounded by the window of the stream. Event loop only.
 */
final class GuardedRequests implements StreamHandler.Requests {

	/** Maximum of messages that wait for the check of credentials. */
	private static final int MAX_WAITING = 16;

	private final StreamHandler handler;

	private final StreamHandler.Responses responses;

	/** Requests that wait; empty once they were handed on. */
	private final List<Consumer<StreamHandler.Requests>> waiting = new ArrayList<>();

	/** Takes the requests; null while they wait, and if they are refused. */
	private StreamHandler.@Nullable Requests target;

	private boolean ended;

	/**
	 * Creates the requests of a call.
	 * @param decision completed on the event loop with the refusal, or null to permit
	 */
	@SuppressWarnings({ "this-escape", "FutureReturnValueIgnored" })
	GuardedRequests(StreamHandler handler, StreamHandler.Responses responses,
			CompletableFuture<@Nullable AccessDenial> decision) {
		this.handler = handler;
		this.responses = responses;
		decision.thenAccept(this::decided);
	}

	private void decided(@Nullable AccessDenial refused) {
		if (this.ended) {
			return;
		}
		if (refused != null) {
			this.responses.close(refused.status(), refused.message());
			return;
		}
		StreamHandler.Requests begun = this.handler.begin(this.responses);
		this.target = begun;
		this.waiting.forEach((each) -> each.accept(begun));
		this.waiting.clear();
	}

	private void accept(Consumer<StreamHandler.Requests> request) {
		if (this.target != null) {
			request.accept(this.target);
		}
		else if (this.waiting.size() < MAX_WAITING) {
			this.waiting.add(request);
		}
		else {
			this.responses.close(RpcStatus.RESOURCE_EXHAUSTED, "too many messages before the credentials were checked");
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
	public void onHalfClose() {
		accept(StreamHandler.Requests::onHalfClose);
	}

	@Override
	public void onEnd() {
		this.ended = true;
		if (this.target != null) {
			this.target.onEnd();
		}
	}

}
