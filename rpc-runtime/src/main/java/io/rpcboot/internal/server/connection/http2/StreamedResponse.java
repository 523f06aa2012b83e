package io.rpcboot.internal.server.connection.http2;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.interceptor.StreamCounts;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.Base64Body;
import io.rpcboot.internal.protocol.grpc.GrpcMetadata;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.call.StreamSink;
import io.rpcboot.internal.server.call.StreamedResult;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.stream.InboundElements;
import io.rpcboot.internal.stream.OpenStreams;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.internal.transport.http2.message.OutboundElements;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.transport.StreamInfo;
import org.jspecify.annotations.Nullable;

/**
 * Stream with one request and a response of several messages. It is the frame of what is
 * sent next: messages, at last the trailers. Event loop only, except the methods of
 * {@link StreamSink}.
 */
class StreamedResponse extends RequestStream implements StreamSink, OutboundElements.Stream, OpenStreams.Stream {

	/** Memory of an open stream beside its elements, in bytes: its objects here. */
	private static final int MEMORY = 2048;

	private final OutboundElements elements;

	private final ContentType type;

	/** Body of a request in Base64, null for plain bytes. */
	private final @Nullable Base64Body text;

	/** Fields for the browser, not of gRPC. */
	private final List<Map.Entry<String, String>> cors;

	/** True if long messages are compressed. */
	private final boolean compresses;

	/** Attachments that are to precede the messages. */
	private volatile List<Map.Entry<String, String>> leading = List.of();

	/** Attachments that HEADERS had. */
	private List<Map.Entry<String, String>> sent = List.of();

	/** True if this frame has the end of a response whose body has it. */
	private boolean isLast;

	private volatile @Nullable Source source;

	/** True once HEADERS tell that the method takes a stream, or has returned one. */
	private volatile boolean tellsBegin;

	/** True once no element follows, and the end of the response is known. */
	private volatile boolean isEnding;

	/** True while this frame is in the write queue. */
	private boolean isQueued;

	/** True if this frame has messages; else it has the trailers or HEADERS alone. */
	private boolean hasMessage;

	/** True if this frame has HEADERS alone. */
	private boolean isHead;

	/** True once the last frame was written or skipped. */
	private boolean ended;

	private final StreamAccount account;

	StreamedResponse(Http2ServerConnection connection, int streamId, RequestHeaders headers,
			@Nullable Invocation method) {
		super(connection, streamId, headers, method);
		this.elements = new OutboundElements(this, connection.budget(), connection.unsent());
		this.account = new StreamAccount(connection.server().streams);
		this.type = headers.contentType();
		this.text = (this.type == ContentType.GRPC_WEB_TEXT) ? new Base64Body() : null;
		this.compresses = connection.compresses() && headers.acceptsGzip();
		this.cors = this.type.endsInBody() ? connection.server().cors.answer(headers.asked()) : List.of();
	}

	@Override
	protected Invocation called(Invocation target, boolean compressed) {
		return this.type.endsInBody() ? this.connection.frames.requests.of(target, this.type, compressed)
				: super.called(target, compressed);
	}

	@Override
	final boolean keeps(RequestHeaders headers) {
		return super.keeps(headers) && reserves(MEMORY);
	}

	/** Begins later: a stream that is reset in the same read costs no thread. */
	@Override
	final boolean beginsLater() {
		return true;
	}

	@Override
	protected void onBody(byte[] in, int from, int to) {
		if (this.text == null || this.discards) {
			super.onBody(in, from, to);
			return;
		}
		byte[] decoded = NOTHING;
		try {
			decoded = this.text.decode(in, from, to);
		}
		catch (IllegalArgumentException ex) {
			reject(RpcStatus.INVALID_ARGUMENT, "the body is no Base64 (expected: as content-type grpc-web-text says)");
		}
		if (this.remoteClosed && !this.discards && !this.text.isComplete()) {
			reject(RpcStatus.INVALID_ARGUMENT, "the body ends within four characters of Base64");
		}
		super.onBody(decoded, 0, decoded.length);
	}

	@Override
	public @Nullable Object[] arguments(byte[] source, int offset, int length) {
		throw new IllegalStateException("one message (expected: a stream of requests)");
	}

	/** A client that waits for the first element learns that the method has returned. */
	@Override
	public void stream(@Nullable Object stream, @Nullable Attachments attachments) {
		if (attachments != null && this.hosted == null && !this.tellsBegin) {
			this.leading = encoded(attachments);
		}
		StreamedResult.follow(requireCall(), this, stream, this::begins);
		if (this.hosted == null && !this.tellsBegin) {
			begins();
		}
	}

	private void begins(Source given) {
		this.source = given;
		if (this.connection.drains) { // perhaps since before
			given.onDrain();
		}
	}

	private List<Map.Entry<String, String>> encoded(Attachments attachments) {
		try {
			return List.copyOf(GrpcMetadata.encode(attachments, this.connection.settings.maxAttachments()).entrySet());
		}
		catch (IllegalArgumentException ex) {
			return List.of(); // the end tells why
		}
	}

	/** Tells the client that the method takes its stream, or returns one. Any thread. */
	protected final void begins() {
		this.tellsBegin = true;
		this.elements.look();
	}

	@Override
	public boolean next(byte[] element) {
		boolean isCompressed = this.hosted != null && this.hosted.isCompressing();
		int least = this.compresses ? COMPRESSED : Integer.MAX_VALUE;
		return this.elements.next((isCompressed || !encodes()) ? element : Gzip.shortened(element, least));
	}

	/** Returns true if messages may be compressed: HEADERS say it. */
	private boolean encodes() {
		return this.compresses || (this.hosted != null && this.hosted.mayCompress());
	}

	@Override
	public int room() {
		return this.elements.room();
	}

	@Override
	public boolean execute(Runnable task) {
		return this.connection.execute(task);
	}

	@Override
	public boolean takesMore() {
		return this.connection.takesResults();
	}

	@Override
	public boolean wantsElements() {
		return !this.ended && isWanted();
	}

	@Override
	public void arrived(OutboundElements from) {
		report();
		writeNext();
	}

	/** Reports the elements that have passed to the recorder of the method. */
	protected final void report() {
		if (this.call != null) {
			this.account.report(this.call, this.elements, arriving());
		}
	}

	@Override
	public void rejected(OutboundElements from) {
		if (this.isEnding) {
			onRejected();
		}
	}

	@Override
	public void reply(RpcStatus outcome, OutputBuffer out) {
		if (outcome != RpcStatus.OK) {
			sendDeclared(outcome, out);
			return;
		}
		if (this.hosted != null && this.hosted.encoding() != null && !this.hosted.isCompressing()) {
			fail(requireCall(), ResponseTrailers.COMPRESSED_BY_SERVICE);
			return;
		}
		if (!next(out.toByteArray())) {
			throw new MemoryShortageException(this.connection.budget().limit(), false);
		}
		complete();
	}

	@Override
	public void complete() {
		this.forgives = true;
		addTrailers();
		finish(requireCall());
	}

	/** Tells the method's publisher and subscriber. */
	@Override
	final void onDrain() {
		Source from = this.source;
		InboundElements arriving = arriving();
		if (from != null) {
			from.onDrain();
		}
		if (arriving != null) {
			arriving.onDrain();
		}
	}

	/** Adds what a hosted service has set. */
	private void addTrailers() {
		if (this.hosted != null && !this.hosted.trailers().isEmpty()) {
			ResponseTrailers end = (this.trailers != null) ? this.trailers : ResponseTrailers.ok(Map.of());
			this.trailers = end.with(this.hosted.trailers());
		}
	}

	@Override
	protected void fail(ServerCall failed, ResponseTrailers end) {
		this.forgives = end.isHonest();
		this.trailers = end;
		addTrailers();
		finish(failed);
	}

	@Override
	protected void sendEnd() {
		this.isEnding = true;
		this.elements.look();
	}

	private void writeNext() {
		if (this.isQueued || this.ended) {
			return;
		}
		boolean mayEnd = this.isEnding; // before the look at what waits
		this.hasMessage = isWanted() && takesNext();
		if (!this.hasMessage) {
			holds(NOTHING, 0, null); // the last message is written
		}
		this.isHead = !this.hasMessage && !mayEnd && this.tellsBegin && !hasBegun() && isWanted();
		if (this.hasMessage || this.isHead || (mayEnd && (!isWanted() || this.elements.isEmpty()))) {
			this.isQueued = true;
			if (!this.output.queue.enqueue(this)) {
				onRejected();
			}
		}
	}

	private boolean takesNext() {
		if (encodes()) {
			this.elements.messages.marksCompressed();
		}
		if (this.text == null) {
			return nextBody(this.elements.messages);
		}
		byte[] next = this.elements.messages.nextPrefixed();
		if (next != null) {
			nextPrefixed(Base64.getEncoder().encode(next));
		}
		return next != null;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = isWanted();
		if (wanted && !writable) {
			return block(this.elements.blocked(WriteDecision.BLOCKED_BY_SOCKET));
		}
		if (wanted && !this.hasMessage && !this.isHead && this.type.endsInBody()) {
			beginLast();
		}
		if (wanted && this.hasMessage) {
			WriteDecision decision = admitBody();
			if (decision != WriteDecision.WRITE) {
				return block(this.elements.blocked(decision));
			}
			if (!this.isLast) {
				this.elements.written();
				return writesMore();
			}
		}
		if (wanted && this.isHead) {
			return writesMore();
		}
		this.isQueued = false;
		if (!wanted && this.call != null && !this.isEnding) { // the stream ends first
			drop(this.call);
			return WriteDecision.SKIP;
		}
		this.ended = true;
		report();
		this.elements.clear();
		WriteDecision decision = ends(wanted);
		if (!wanted) {
			countOut(false);
		}
		return decision;
	}

	@Override
	boolean countsIn() {
		return this.account.open(this);
	}

	private void countOut(boolean written) {
		if (this.account.isOpen()) {
			ServerCall ended = requireCall();
			this.account.close(ended, outcome(written), this.connection.remote(),
					this.account.report(ended, this.elements, arriving()));
		}
	}

	private RpcStatus outcome(boolean written) {
		RpcStatus answered = (this.trailers != null) ? this.trailers.status() : RpcStatus.OK;
		RpcStatus unanswered = requireCall().isTimeOver() ? RpcStatus.DEADLINE_EXCEEDED : RpcStatus.CANCELLED;
		return written ? answered : unanswered;
	}

	@Override
	public StreamInfo describe(long ofServer) {
		ServerCall open = requireCall();
		InboundElements arriving = arriving();
		MethodDescriptor descriptor = open.method.descriptor;
		return new StreamInfo(ofServer, descriptor.service(), descriptor.signature(), this.connection.remote(),
				Duration.ofNanos(System.nanoTime() - open.startNanos), open.method.streams ? sent() : null,
				(arriving != null) ? arriving.describe() : null);
	}

	@Override
	public @Nullable StreamCounts streamed() {
		if (!requireCall().method.isStreaming) {
			return null;
		}
		Source from = this.source;
		InboundElements arriving = arriving();
		return new StreamCounts((arriving != null) ? arriving.delivered() : 0, (from != null) ? from.elements() : 0);
	}

	private StreamInfo.Elements sent() {
		Source from = this.source;
		return this.elements.describe(from == null || from.owesElements(), this.isEnding);
	}

	/** Returns the elements of the client, null if it sends none. Any thread. */
	protected @Nullable InboundElements arriving() {
		return null;
	}

	@Override
	public void onWriteComplete(boolean written) {
		countOut(written);
		super.onWriteComplete(written);
	}

	/** Begins the message that has what gRPC has in trailers. */
	private void beginLast() {
		this.sent = hasBegun() ? this.sent : this.leading;
		ResponseTrailers end = (this.trailers != null) ? this.trailers.without(this.sent)
				: ResponseTrailers.ok(Map.of());
		this.isLast = true;
		this.hasMessage = true;
		nextPrefixed(end.inBody(this.type));
	}

	private WriteDecision writesMore() {
		this.isQueued = false;
		this.connection.execute(this::written);
		return WriteDecision.WRITE;
	}

	private void drop(ServerCall unwanted) {
		this.elements.clear();
		unwanted.cancel();
	}

	private void written() {
		writeNext();
		Source from = this.source;
		if (from != null) {
			from.onWritten();
		}
	}

	@Override
	public void onReset() {
		this.elements.dropWaiting();
		super.onReset();
	}

	@Override
	public void onConnectionClosed() {
		this.elements.dropWaiting();
		super.onConnectionClosed();
	}

	/** Resets are for responses that are not wanted, and for streams at any time. */
	@Override
	public boolean isAnswered() {
		return hasBegun() || super.isAnswered();
	}

	/** A slow consumer is none that reads nothing. */
	@Override
	protected boolean mayPause() {
		return this.hasMessage && this.call != null && this.call.method.isStreaming;
	}

	@Override
	void onNotDispatched() {
		this.isEnding = true;
		onRejected();
	}

	/** The connection is closed. The call ends once its source knows. */
	@Override
	public void onRejected() {
		this.isQueued = false;
		this.elements.clear();
		if (this.call != null && !this.isEnding) {
			this.call.cancel();
		}
		else if (!this.ended) {
			this.ended = true;
			countOut(false);
			super.onRejected();
		}
	}

	@Override
	public boolean wantsWriteResult() {
		return (!this.hasMessage || this.isLast) && !this.isHead && super.wantsWriteResult();
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		List<Map.Entry<String, String>> fields = new ArrayList<>(this.cors);
		if (encodes()) {
			fields.add(Map.entry(this.type.isConnect() ? "connect-content-encoding" : "grpc-encoding", Gzip.NAME));
		}
		this.sent = this.leading;
		fields.addAll(this.sent);
		if (this.hosted != null) {
			fields.addAll(this.type.endsInBody() ? this.hosted.ownHeaders() : this.hosted.headers());
		}
		if (this.type.endsInBody()) {
			this.connection.headers.head(out, this.streamId, 200, this.type.text(), -1, fields);
		}
		else {
			this.connection.headers.headers(out, this.streamId, fields);
		}
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		if (this.isLast) {
			writeData(out, bytes, true);
			this.connection.headers.end(out);
			writeEnd(out);
			return;
		}
		if (this.hasMessage) {
			writeData(out, bytes, false);
			return;
		}
		if (this.isHead) {
			begin(out);
			return;
		}
		if (!this.leading.isEmpty()) {
			begin(out);
		}
		this.connection.headers.trailers(out, this.streamId,
				(this.trailers != null) ? this.trailers.without(this.sent) : null, !hasBegun());
		writeEnd(out);
	}

}
