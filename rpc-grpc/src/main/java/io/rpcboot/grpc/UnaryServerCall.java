package io.rpcboot.grpc;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.grpc.Compressor;
import io.grpc.Metadata;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.rpcboot.server.GrpcCall;
import org.jspecify.annotations.Nullable;

/**
 * Call of a method with one request and one response. Headers, message and status are
 * held until {@link #close}, then leave together.
 *
 * @param <Q> type of the request
 * @param <A> type of the response
 */
final class UnaryServerCall<Q, A> extends HostedServerCall<Q, A> {

	private final CompletableFuture<byte[]> response = new CompletableFuture<>();

	private boolean requested;

	private boolean delivered;

	private byte @Nullable [] message;

	UnaryServerCall(GrpcCall call, ServerMethodDefinition<Q, A> method) {
		super(call, method);
	}

	/** Runs the call. Returns a stage with the bytes of the response. */
	CompletionStage<byte[]> start() {
		begin();
		return this.response;
	}

	@Override
	void onStarted(Listener<Q> started) {
		started.onReady();
		deliver();
	}

	@Override
	void failed(Throwable why) {
		this.response.completeExceptionally(why);
	}

	@Override
	void succeeded() {
		this.response.complete(Objects.requireNonNull(this.message));
	}

	private void deliver() {
		Listener<Q> known = this.listener;
		if (known == null || !this.requested || this.delivered || hasEnded()) {
			return;
		}
		this.delivered = true;
		known.onMessage(parse(this.call.message()));
		known.onHalfClose();
	}

	@Override
	public void request(int count) {
		if (count > 0) {
			post(() -> {
				this.requested = true;
				deliver();
			});
		}
	}

	@Override
	public void sendMessage(A answer) {
		requireOpen();
		if (this.message != null) {
			end(Status.INTERNAL.withDescription("the method has sent two messages (expected: one)"), null);
			return;
		}
		Compressor used = compressor();
		this.message = bytes(answer, used);
		if (used != null) {
			this.call.encoding(used.getMessageEncoding());
		}
	}

	@Override
	public void close(Status status, Metadata trailers) {
		boolean lacks = status.isOk() && this.message == null;
		super.close(lacks ? Status.INTERNAL.withDescription("the method has completed without a response") : status,
				trailers);
	}

	@Override
	public boolean isReady() {
		return !hasEnded() && this.message == null;
	}

}
