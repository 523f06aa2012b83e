package io.rpcboot.internal.server.connection.http2;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.server.call.RequestElements;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.stream.InboundElements;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.http2.message.ElementWindow;
import io.rpcboot.internal.transport.http2.message.InboundMessage;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stream with a request of several messages, and a response of one or several. The first
 * message has the parameters before the stream; if there are none, the call begins with
 * HEADERS. Event loop only, except the methods of {@link RequestElements.Stream}.
 */
final class StreamedRequest extends StreamedResponse implements RequestElements.Stream {

	private final Invocation method;

	private final RequestElements elements = new RequestElements(this);

	/** True if the first message has parameters before the stream. */
	private final boolean hasParameters;

	/** First message that waits for the decision about its caller. */
	private byte[] first = NOTHING;

	private boolean isFirstCompressed;

	private boolean hasFirst;

	/** True once the call begins, or will at the end of the read. */
	private boolean isBeginning;

	/** Window of the elements. */
	private final ElementWindow window;

	StreamedRequest(Http2ServerConnection connection, int streamId, RequestHeaders headers, Invocation method) {
		super(connection, streamId, headers, method);
		this.method = method;
		this.window = new ElementWindow(connection.memory(), System::nanoTime);
		this.hasParameters = !method.method.hasElementsOnly;
	}

	@Override
	public @Nullable Object[] arguments(byte[] source, int offset, int length) {
		@Nullable Object[] all = this.elements.arguments(requireCall(), source, offset, length);
		if (this.hosted != null) {
			this.hosted.sendsHeaders(this::begins); // its fields go with HEADERS
		}
		else {
			begins();
		}
		return all;
	}

	/** Begins soon if the caller is known, and what is before the stream is there. */
	@Override
	void mayBegin() {
		if (!this.isBeginning && !this.isUndecided && !this.discards
				&& (!this.hasParameters || this.hasFirst || this.remoteClosed)) {
			this.isBeginning = true;
			this.connection.beginsSoon(this);
		}
	}

	@Override
	void begin() {
		if (!this.reset && !this.discards) {
			byte[] parameters = this.first;
			if (this.connection.drains) {
				this.elements.arriving().onDrain();
			}
			this.first = NOTHING; // the call owns it
			start(this.isFirstCompressed, parameters, 0, parameters.length, true);
		}
	}

	@Override
	protected void onMessage(boolean compressed, byte[] in, int offset, int count, boolean isLast) {
		if (takes(compressed, in, offset, count)) {
			if (this.hasParameters && !this.hasFirst) {
				first(compressed, OutboundFrame.copy(in, offset, offset + count));
			}
			else if (reserves(InboundElements.OVERHEAD)) {
				element(OutboundFrame.copy(in, offset, offset + count), count, count + InboundElements.OVERHEAD);
			}
		}
	}

	@Override
	protected void onMessage(InboundMessage complete) {
		if (takes(complete.isCompressed(), complete.array(), 0, complete.filled())) {
			if (this.hasParameters && !this.hasFirst) {
				first(complete.isCompressed(), OutboundFrame.copy(complete.array(), 0, complete.filled()));
			}
			else if (reserves(InboundElements.OVERHEAD)) {
				element(complete.array(), complete.filled(), complete.capacity() + InboundElements.OVERHEAD);
			}
		}
	}

	/** Elements tell by their first bytes that they are compressed. */
	private boolean takes(boolean compressed, byte[] in, int offset, int count) {
		if (compressed && count > 0 && !Gzip.isCompressed(in, offset, count)) {
			reject(RpcStatus.INTERNAL, "a message is not compressed with gzip, as its flag says");
			return false;
		}
		return true;
	}

	private void first(boolean compressed, byte[] message) {
		this.hasFirst = true;
		this.first = message;
		this.isFirstCompressed = compressed;
		mayBegin();
	}

	@Override
	protected InboundElements arriving() {
		return this.elements.arriving();
	}

	@Override
	protected void onBody(byte[] in, int from, int to) {
		super.onBody(in, from, to);
		report();
	}

	private void element(byte[] bytes, int length, int reserved) {
		handOver(reserved);
		this.window.add(length + InboundElements.OVERHEAD);
		this.elements.arriving().add(bytes, length, reserved);
		restoreWindow();
	}

	@Override
	protected void onHalfClose() {
		this.elements.arriving().end();
		mayBegin();
	}

	@Override
	protected int windowBytes() {
		return this.window.size();
	}

	@Override
	protected int unconsumedBytes() {
		return this.window.unconsumed();
	}

	@Override
	public void release(int reserved) {
		this.connection.execute(() -> this.connection.memory().release(reserved));
	}

	@Override
	public void restoreWindow(int bytes, boolean hasWaited) {
		this.connection.execute(() -> {
			this.window.consumed(bytes, hasWaited, receiveWindow());
			if (!this.reset && !this.discards) {
				restoreWindow();
			}
		});
	}

	/** Skips what still arrives. Its window stays, so that little of it comes. */
	@Override
	public void takesNoMore() {
		this.connection.execute(() -> {
			if (this.call != null) {
				skipRest();
			}
		});
	}

	private void skipRest() {
		this.discards = true;
		dropMessage(); // so that another one may arrive
	}

	@Override
	public MethodCodec codec(byte[] bytes, int length) {
		return called(this.method, Gzip.isCompressed(bytes, 0, length)).codec;
	}

	/** Fails the elements of a call that runs: its method answers. */
	@Override
	public void reject(RpcStatus status, String why) {
		if (this.call == null) {
			super.reject(status, why);
			return;
		}
		skipRest();
		this.elements.fail(status, why);
	}

	@Override
	public void reply(RpcStatus outcome, OutputBuffer out) {
		this.elements.answers();
		super.reply(outcome, out);
	}

	/** A call takes elements for as long as it likes. */
	@Override
	public boolean isOverdue(long now) {
		return this.call == null && super.isOverdue(now);
	}

	@Override
	boolean isOpenRequest() {
		return this.call == null && super.isOpenRequest();
	}

	@Override
	public void onReset() {
		skipRest();
		if (this.call != null) {
			this.elements.fail(RpcStatus.CANCELLED, "the client has cancelled the call");
		}
		super.onReset();
	}

	/** Drops the elements of a request that became no call. */
	@Override
	public void onRemoved() {
		super.onRemoved();
		this.window.close();
		if (this.call == null) {
			this.elements.arriving().discard();
		}
	}

	@Override
	public void onConnectionClosed() {
		if (this.call != null) {
			this.elements.fail(RpcStatus.CANCELLED, "the connection of the client was lost");
		}
		super.onConnectionClosed();
	}

	@Override
	protected void sendEnd() {
		this.elements.ended();
		super.sendEnd();
	}

	@Override
	public String toString() {
		return "exchange of " + this.method.descriptor();
	}

}
