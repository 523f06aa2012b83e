package io.rpcboot.grpc;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
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

	private static final Metadata.Key<String> ACCEPT_ENCODING = Metadata.Key.of("grpc-accept-encoding",
			Metadata.ASCII_STRING_MARSHALLER);

	private final CompletableFuture<byte[]> response = new CompletableFuture<>();

	private boolean requested;

	private boolean delivered;

	private byte @Nullable [] message;

	private @Nullable Compressor compressor;

	private boolean compresses = true;

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
		try (InputStream in = getMethodDescriptor().streamResponse(answer)) {
			this.message = read(in);
		}
		catch (IOException ex) {
			throw Status.INTERNAL.withDescription("the response cannot be written").withCause(ex).asRuntimeException();
		}
	}

	private byte[] read(InputStream in) throws IOException {
		Compressor used = this.compresses ? this.compressor : null;
		if (used == null) {
			return in.readAllBytes();
		}
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (OutputStream out = used.compress(bytes)) {
			in.transferTo(out);
		}
		this.call.encoding(used.getMessageEncoding());
		return bytes.toByteArray();
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

	@Override
	public void setMessageCompression(boolean enabled) {
		this.compresses = enabled;
	}

	@Override
	public void setCompression(String name) {
		require(!hasHeaders(), "sendHeaders() was called before");
		Compressor known = CompressorRegistry.getDefaultInstance().lookupCompressor(name);
		if (known == null) {
			throw new IllegalArgumentException("compressor '%s' (expected: a registered one)".formatted(name));
		}
		String accepted = this.headers.get(ACCEPT_ENCODING);
		boolean usable = known != Codec.Identity.NONE && accepted != null
				&& List.of(accepted.strip().split("\\s*,\\s*")).contains(name);
		this.compressor = usable ? known : null;
	}

}
