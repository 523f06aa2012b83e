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
 * Call of a generated service, as grpc-java sees it. Its events run one after another, on
 * the thread of the call or on one that causes them.
 *
 * @param <Q> type of the requests
 * @param <A> type of the responses
 */
abstract class HostedServerCall<Q, A> extends ServerCall<Q, A> {

	private static final Metadata.Key<String> ACCEPT_ENCODING = Metadata.Key.of("grpc-accept-encoding",
			Metadata.ASCII_STRING_MARSHALLER);

	final GrpcCall call;

	final Metadata headers;

	private final ServerMethodDefinition<Q, A> method;

	private final Context.CancellableContext context;

	private final Queue<Runnable> events = new ConcurrentLinkedQueue<>();

	/** Number of events that were added and have not run. */
	private final AtomicInteger waiting = new AtomicInteger();

	/** True once the outcome of the call is known. */
	private final AtomicBoolean ended = new AtomicBoolean();

	private volatile boolean cancelled;

	/** Null until the call is started. Events only. */
	@Nullable Listener<Q> listener;

	private boolean headersSent;

	/** Compressor of messages that the client reads, null for none. */
	private @Nullable Compressor compressor;

	private boolean compresses = true;

	private volatile boolean closed;

	HostedServerCall(GrpcCall call, ServerMethodDefinition<Q, A> method) {
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

	/** Starts the call with its headers. */
	final void begin() {
		this.call.context().onCancel(this::cancel);
		post(() -> {
			Listener<Q> started = this.method.getServerCallHandler().startCall(this, this.headers);
			this.listener = Objects.requireNonNull(started, "startCall() returned null");
			onStarted(started);
		});
	}

	/** Tells the listener what it may do first. Events only. */
	abstract void onStarted(Listener<Q> started);

	/** Runs an event, on this thread unless another one runs events. */
	final void post(Runnable event) {
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

	/** Ends the call with an exception of the service. */
	final void fail(Throwable thrown) {
		if (this.ended.compareAndSet(false, true)) {
			failed(thrown);
			this.context.cancel(thrown);
		}
	}

	/** Passes on that the call has failed. Once. */
	abstract void failed(Throwable why);

	/** Passes on that the call has succeeded. Once. */
	abstract void succeeded();

	final Q parse(byte[] message) {
		return this.method.getMethodDescriptor().parseRequest(new Message(message));
	}

	@Override
	public final void sendHeaders(Metadata metadata) {
		require(!this.headersSent, "sendHeaders() was called before");
		require(!this.closed, "the call is closed");
		this.headersSent = true;
		this.call.headers(MetadataFields.fields(metadata));
	}

	/** Checks that a message may be sent now. */
	final void requireOpen() {
		require(this.headersSent, "sendHeaders() was not called");
		require(!this.closed, "the call is closed");
	}

	@Override
	public final void setMessageCompression(boolean enabled) {
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

	final boolean hasCompressor() {
		return this.compressor != null;
	}

	/** Returns the compressor of the next message, null for none. */
	final @Nullable Compressor compressor() {
		return this.compresses ? this.compressor : null;
	}

	/** Returns the bytes of a response. */
	final byte[] bytes(A answer, @Nullable Compressor used) {
		try (InputStream in = getMethodDescriptor().streamResponse(answer)) {
			if (used == null) {
				return in.readAllBytes();
			}
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			try (OutputStream out = used.compress(bytes)) {
				in.transferTo(out);
			}
			return bytes.toByteArray();
		}
		catch (IOException ex) {
			throw Status.INTERNAL.withDescription("the response cannot be written").withCause(ex).asRuntimeException();
		}
	}

	@Override
	public void close(Status status, Metadata trailers) {
		require(!this.closed, "the call is closed");
		this.closed = true;
		end(status, trailers);
	}

	final void end(Status status, @Nullable Metadata trailers) {
		if (!this.ended.compareAndSet(false, true)) {
			return;
		}
		if (trailers != null) {
			this.call.trailers(MetadataFields.fields(trailers));
		}
		if (status.isOk()) {
			succeeded();
		}
		else {
			String description = status.getDescription();
			failed(new RpcException(rpcStatus(status), (description != null) ? description : "", true, null,
					status.getCause()));
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
	final void cancel() {
		this.cancelled = true;
		if (!this.ended.compareAndSet(false, true)) {
			return;
		}
		boolean late = nanos(this.call) <= 0;
		failed(late ? new RpcException(RpcStatus.DEADLINE_EXCEEDED, "its time was over while the method ran", true)
				: new RpcException(RpcStatus.CANCELLED, "the client has cancelled the call", true));
		this.context.cancel(late ? new TimeoutException("context timed out") : null);
		post(() -> {
			if (this.listener != null) {
				this.listener.onCancel();
			}
		});
	}

	/** Returns true once the outcome of the call is known. */
	final boolean hasEnded() {
		return this.ended.get();
	}

	@Override
	public final boolean isCancelled() {
		return this.cancelled;
	}

	@Override
	public final MethodDescriptor<Q, A> getMethodDescriptor() {
		return this.method.getMethodDescriptor();
	}

	@Override
	public final String getAuthority() {
		return this.call.authority();
	}

	@Override
	public final Attributes getAttributes() {
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

	static void require(boolean condition, String problem) {
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
