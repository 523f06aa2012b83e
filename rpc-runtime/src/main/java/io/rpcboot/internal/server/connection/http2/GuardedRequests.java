package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.server.access.AccessDenial;
import io.rpcboot.internal.server.builtin.StreamHandler;
import org.jspecify.annotations.Nullable;

/**
 * Requests of a call that the server itself offers, held until its caller is known and
 * permitted. Their memory stays in use, and the window of the stream is not restored.
 * Permitted callers alone learn the faults of their requests. Event loop only.
 */
final class GuardedRequests implements StreamHandler.Requests {

	/** Maximum of messages that wait for the check of credentials. */
	private static final int MAX_WAITING = 16;

	private final StreamHandler.Responses responses;

	private final Guard guard;

	/** Requests that wait; empty once they were handed on or dropped. */
	private final List<Consumer<StreamHandler.Requests>> waiting = new ArrayList<>();

	/** Takes the requests; null while they wait, and if they are refused. */
	private StreamHandler.@Nullable Requests target;

	/** Answer to a permitted caller; null while its requests can be read. */
	private @Nullable AccessDenial rejection;

	/** True once the guard decides about the caller. */
	private boolean isDeciding;

	/** True once the call was refused or has ended. */
	private boolean closed;

	/** Decides about the caller of a call. Event loop only. */
	interface Guard {

		/**
		 * Returns the handler for a request whose answer is for everybody.
		 * @return null if the caller has to be known
		 */
		@Nullable Function<StreamHandler.Responses, StreamHandler.Requests> publicHandler(byte[] bytes, int offset, int length);

		/** Calls {@link #permit} or {@link #refuse}, now or later. */
		void decide(GuardedRequests requests);

		/** The call has ended. */
		void onEnd();

	}

	GuardedRequests(StreamHandler.Responses responses, Guard guard) {
		this.responses = responses;
		this.guard = guard;
	}

	/** Lets the guard decide, once. */
	void decide() {
		if (!this.isDeciding && !this.closed) {
			this.isDeciding = true;
			this.guard.decide(this);
		}
	}

	/** Begins the call with the requests that wait, unless it has ended. */
	void permit(Function<StreamHandler.Responses, StreamHandler.Requests> handler) {
		if (this.closed) {
			return;
		}
		AccessDenial rejected = this.rejection;
		if (rejected != null) {
			drop();
			this.responses.close(rejected.status(), rejected.message());
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
	void refuse(AccessDenial why) {
		if (!this.closed) {
			drop();
			if (this.target == null) {
				this.responses.refuse(why);
			}
			else { // it has answered before
				this.responses.close(why.status(), why.message());
			}
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
		else if (this.closed || this.rejection != null) {
			return;
		}
		else if (this.waiting.size() >= MAX_WAITING) {
			keepsRejection(RpcStatus.RESOURCE_EXHAUSTED, "too many messages before the credentials were checked");
		}
		else {
			this.waiting.add(request);
			decide();
		}
	}

	@Override
	public void onMessage(byte[] bytes, int offset, int length) {
		if (!this.isDeciding && this.target == null && !this.closed) {
			Function<StreamHandler.Responses, StreamHandler.Requests> open = this.guard.publicHandler(bytes, offset,
					length);
			if (open != null) {
				permit(open);
			}
		}
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
	public boolean keepsRejection(RpcStatus status, String why) {
		if (this.target != null || this.closed) {
			return false;
		}
		this.waiting.clear();
		this.rejection = new AccessDenial(status, why);
		decide();
		return true;
	}

	@Override
	public void onEnd() {
		drop();
		this.guard.onEnd();
		if (this.target != null) {
			this.target.onEnd();
		}
	}

}
