package io.rpcboot.grpc;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.grpc.Attributes;
import io.grpc.Codec;
import io.grpc.Compressor;
import io.grpc.CompressorRegistry;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Grpc;
import io.grpc.KnownLength;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.server.GrpcCall;
import org.jspecify.annotations.Nullable;

/**
 * Call of a method with one request and one response, as grpc-java sees it. Its events
 * run one after another, on the thread of the call or on one that causes them. Headers,
 * message and status are held until {@link #close}, then leave together.
 *
 * @param <Q> type of the request
 * @param <A> type of the response
 */
final class UnaryServerCall<Q, A> extends ServerCall<Q, A> {

	private static final Metadata.Key<String> ACCEPT_ENCODING = Metadata.Key.of("grpc-accept-encoding",
			Metadata.ASCII_STRING_MARSHALLER);

	private final GrpcCall call;

	private final ServerMethodDefinition<Q, A> method;

	private final Metadata headers;

	private final Context.CancellableContext context;

	private final CompletableFuture<byte[]> response = new CompletableFuture<>();

	private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

	/** Number of events that were added and have not run. */
	private final AtomicInteger waiting = new AtomicInteger();

	/** True once the stage of the response completes. */
	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile boolean cancelled;

	/** Null until the call is started. Events only, as the next two. */
	private @Nullable Listener<Q> listener;

	private boolean requested;

	private boolean delivered;

	private boolean headersSent;

	private volatile boolean closed;

	private byte @Nullable [] message;

	private @Nullable Compressor compressor;

	private boolean compresses = true;

	UnaryServerCall(GrpcCall call, ServerMethodDefinition<Q, A> method) {
		this.call = call;
		this.method = method;
		this.headers = MetadataFields.metadata(call.metadata());
		long nanos = nanos(call);
		this.context = (nanos == Long.MAX_VALUE) ? Context.ROOT.withCancellation()
				: Context.ROOT.withDeadline(Deadline.after(nanos, TimeUnit.NANOSECONDS), DeadlineTimer.INSTANCE);
	}

	private static long nanos(GrpcCall call) {
		return call.context().remaining().toNanos();
	}

	/** Runs the call. Returns a stage with the bytes of the response. */
	CompletionStage<byte[]> start() {
		this.call.context().onCancel(this::cancel);
		post(() -> {
			Listener<Q> started = this.method.getServerCallHandler().startCall(this, this.headers);
			this.listener = Objects.requireNonNull(started, "startCall() returned null");
			started.onReady();
			deliver();
		});
		return this.response;
	}

	/** Runs an event, on this thread unless another one runs events. */
	private void post(Runnable event) {
		this.events.add(event);
		if (this.waiting.getAndIncrement() > 0) {
			return;
		}
		Context before = this.context.attach();
		try {
			do {
				run(Objects.requireNonNull(this.events.poll()));
			}
			while (this.waiting.decrementAndGet() > 0);
		}
		finally {
			this.context.detach(before);
		}
	}

	private void run(Runnable event) {
		try {
			event.run();
		}
		catch (StatusRuntimeException ex) {
			end(ex.getStatus(), ex.getTrailers());
		}
		catch (Throwable ex) {
			fail(ex);
		}
	}

	private void fail(Throwable thrown) {
		if (this.ended.compareAndSet(false, true)) {
			this.response.completeExceptionally(thrown);
			this.context.cancel(thrown);
		}
	}

	private void deliver() {
		Listener<Q> known = this.listener;
		if (known == null || !this.requested || this.delivered || this.ended.get()) {
			return;
		}
		this.delivered = true;
		known.onMessage(this.method.getMethodDescriptor().parseRequest(new Message(this.call.message())));
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
	public void sendHeaders(Metadata metadata) {
		require(!this.headersSent, "sendHeaders() was called before");
		require(!this.closed, "the call is closed");
		this.headersSent = true;
		this.call.headers(MetadataFields.fields(metadata));
	}

	@Override
	public void sendMessage(A answer) {
		require(this.headersSent, "sendHeaders() was not called");
		require(!this.closed, "the call is closed");
		if (this.message != null) {
			end(Status.INTERNAL.withDescription("the method has sent two messages (expected: one)"), null);
			return;
		}
		try (InputStream in = this.method.getMethodDescriptor().streamResponse(answer)) {
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
		require(!this.closed, "the call is closed");
		this.closed = true;
		if (status.isOk() && this.message == null) {
			end(Status.INTERNAL.withDescription("the method has completed without a response"), null);
		}
		else {
			end(status, trailers);
		}
	}

	private void end(Status status, @Nullable Metadata trailers) {
		if (!this.ended.compareAndSet(false, true)) {
			return;
		}
		if (trailers != null) {
			this.call.trailers(MetadataFields.fields(trailers));
		}
		if (status.isOk()) {
			this.response.complete(Objects.requireNonNull(this.message));
		}
		else {
			String description = status.getDescription();
			this.response.completeExceptionally(new RpcException(rpcStatus(status),
					(description != null) ? description : "", true, null, status.getCause()));
		}
		post(() -> {
			if (this.listener != null) {
				this.listener.onComplete();
			}
			this.context.cancel(null);
		});
	}

	private static RpcStatus rpcStatus(Status status) {
		return Objects.requireNonNullElse(RpcStatus.ofCode(status.getCode().value()), RpcStatus.UNKNOWN);
	}

	/** Ends the call, because the client cancelled it or its time is over. Any thread. */
	private void cancel() {
		this.cancelled = true;
		if (!this.ended.compareAndSet(false, true)) {
			return;
		}
		boolean late = nanos(this.call) <= 0;
		this.response.completeExceptionally(
				late ? new RpcException(RpcStatus.DEADLINE_EXCEEDED, "its time was over while the method ran", true)
						: new RpcException(RpcStatus.CANCELLED, "the client has cancelled the call", true));
		this.context.cancel(late ? new TimeoutException("context timed out") : null);
		post(() -> {
			if (this.listener != null) {
				this.listener.onCancel();
			}
		});
	}

	@Override
	public boolean isReady() {
		return !this.ended.get() && this.message == null;
	}

	@Override
	public boolean isCancelled() {
		return this.cancelled;
	}

	@Override
	public void setMessageCompression(boolean enabled) {
		this.compresses = enabled;
	}

	@Override
	public void setCompression(String name) {
		require(!this.headersSent, "sendHeaders() was called before");
		Compressor known = CompressorRegistry.getDefaultInstance().lookupCompressor(name);
		if (known == null) {
			throw new IllegalArgumentException("compressor '%s' (expected: a registered one)".formatted(name));
		}
		String accepted = this.headers.get(ACCEPT_ENCODING);
		boolean usable = known != Codec.Identity.NONE && accepted != null
				&& List.of(accepted.strip().split("\\s*,\\s*")).contains(name);
		this.compressor = usable ? known : null;
	}

	@Override
	public MethodDescriptor<Q, A> getMethodDescriptor() {
		return this.method.getMethodDescriptor();
	}

	@Override
	public String getAuthority() {
		return this.call.authority();
	}

	@Override
	public Attributes getAttributes() {
		InetSocketAddress remote = address(this.call.context().connection().remote());
		return (remote != null) ? Attributes.newBuilder().set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, remote).build()
				: Attributes.EMPTY;
	}

	/**
	 * Returns the address in a text with an IP address and a port, null if it has none.
	 */
	private static @Nullable InetSocketAddress address(String remote) {
		int colon = remote.lastIndexOf(':');
		try {
			InetAddress host = InetAddress.getByName(remote.substring(0, Math.max(0, colon)));
			return new InetSocketAddress(host, Integer.parseInt(remote.substring(colon + 1)));
		}
		catch (UnknownHostException | NumberFormatException ex) {
			return null;
		}
	}

	private static void require(boolean condition, String problem) {
		if (!condition) {
			throw new IllegalStateException(problem);
		}
	}

	/** Bytes of a request, whose length marshallers ask for. */
	private static final class Message extends ByteArrayInputStream implements KnownLength {

		Message(byte[] bytes) {
			super(bytes);
		}

	}

}
