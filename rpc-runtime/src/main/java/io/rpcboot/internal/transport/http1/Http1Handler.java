package io.rpcboot.internal.transport.http1;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.util.ReferenceCountUtil;
import io.rpcboot.internal.protocol.Http1Text;
import io.rpcboot.internal.protocol.http2.HeaderResolver;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.connection.Connection;
import io.rpcboot.internal.transport.connection.ProtocolHandler;
import io.rpcboot.internal.transport.http2.ArrivingBody;
import io.rpcboot.internal.transport.http2.Http2Handler;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Reads the requests of a client that speaks HTTP/1.1, one after the other: the next one
 * is read when the response of the last one is written, and every few once the socket has
 * taken them all. Each becomes the frames of a stream. Event loop only.
 */
public final class Http1Handler extends ProtocolHandler implements Http1Writer.Listener {

	/** Connection of the streams. Event loop only. */
	public interface Owner {

		/** Receives the frames. */
		Http2Handler.Listener frames();

		/** Returns the longest head of a request, in bytes. */
		int maxHead();

		/** Returns true once a request has arrived. */
		boolean isIntroduced();

		/** Reserves memory of bytes that wait. Returns false if there is none. */
		boolean take(int bytes);

		/** Releases memory of bytes that wait. */
		void release(int bytes);

		/** Gives bytes of a response back to the window once they are with the socket. */
		void onWritten(int bytes);

		/** Runs a task once the socket has taken all that is written. */
		void afterFlush(Runnable task);

		/** Returns true if the body of a call is wanted, and no response has begun. */
		boolean isAwaited(int streamId);

		/** Answers a request that is no call without its body. */
		void answerEarly(int streamId);

		/** Returns true if requests that arrive now are not served. */
		boolean isGoingAway();

		/** Sends bytes beside all responses. */
		void send(byte[] bytes);

		/**
		 * Reads no more, because of a fault of the client, and closes behind all that is
		 * to be sent.
		 * @param kind status and its reason
		 */
		void refuse(String kind, String problem);

		/** Closes behind all that is to be sent. */
		void close();

		/** Closes now. */
		void closeAtOnce(String why);

	}

	/** Longest time for the head of a request, as for all of one over HTTP/2. */
	private static final int HEAD_SECONDS = 60;

	private static final int MAX_QUOTED = 200;

	/** Length of the request line that comes on top of the header fields, in bytes. */
	private static final int MAX_LINE = 8192;

	private static final int IDLE_SECONDS = 1;

	/**
	 * Bytes that the system keeps unsent, so that the socket tells what the client takes.
	 */
	private static final int UNSENT = 64 * 1024;

	/** Most bytes that wait while it is read whether the client leaves. */
	private static final int MAX_REST = 64 * 1024;

	/**
	 * Responses that may wait for the socket: a client that sends requests and reads no
	 * responses has no more calls in flight.
	 */
	private static final int MAX_UNSENT = 16;

	private final Owner owner;

	private final Http2Handler.Listener frames;

	private final Http1Requests requests;

	@SuppressWarnings("NullAway.Init")
	private byte[] chunk;

	@SuppressWarnings("NullAway.Init")
	private ChannelHandlerContext context;

	@SuppressWarnings("NullAway.Init")
	private Http1Decoder decoder;

	private final List<Object> parts = new ArrayList<>();

	/** Id of the stream of the last request; 0 before the first one. */
	private int streamId;

	/** True from the head of a request to the end of its response. */
	private boolean isOpen;

	/** True while the body of the request arrives. */
	private boolean isArriving;

	/** Bytes of the body that its stream takes now. */
	private int window;

	/** True if the client sends another request behind the current one. */
	private boolean isPersistent = true;

	/** True if no request is read any more. */
	private boolean isLeaving;

	private boolean stopped;

	/** Bytes that wait for the window, or for the end of a response; null for none. */
	private @Nullable ByteBuf rest;

	/** Part of a body that waits for the window; null for none. */
	private @Nullable ByteBuf surplus;

	/** True if that part is the last one. */
	private boolean isSurplusLast;

	/** Responses since the socket has taken all of them. */
	private int unsent;

	/** True if the head of the response tells that another request may follow. */
	private boolean goesOn;

	/** True if the last read ended within a head. */
	private boolean wasInHead;

	private @Nullable Future<?> headTimer;

	/**
	 * Creates a handler.
	 * @param resolver resolves the header fields of requests
	 */
	public Http1Handler(Connection connection, Owner owner, HeaderResolver resolver) {
		super(connection, owner.frames());
		this.owner = owner;
		this.frames = owner.frames();
		this.requests = new Http1Requests(this.frames, resolver, connection);
	}

	@Override
	protected void begin(byte[] bytes) {
		this.chunk = bytes;
	}

	@Override
	protected void greet(ChannelHandlerContext current) {
		this.context = current;
		if (current.channel() instanceof EpollSocketChannel socket) {
			// else a client that reads steadily seems to stand still for seconds
			socket.config().setTcpNotSentLowAt(UNSENT);
		}
		this.decoder = new Http1Decoder(current, this.owner.maxHead());
	}

	@Override
	protected void read(ByteBuf in, long nanos) {
		ByteBuf waiting = this.rest;
		if (waiting == null) {
			feed(in);
		}
		else if (take(in.readableBytes())) {
			waiting.writeBytes(in);
			feedRest(waiting);
		}
	}

	private void feedRest(ByteBuf waiting) {
		this.rest = null;
		this.owner.release(waiting.readableBytes());
		feed(waiting);
	}

	/** Returns true if bytes have to wait for a window or for the end of a response. */
	private boolean waits() {
		return this.isOpen && (!this.isArriving || this.surplus != null || this.window == 0);
	}

	/** Reads requests until one has to wait. Keeps what is not read. */
	private void feed(ByteBuf in) {
		boolean advances = true;
		while (advances && !this.stopped && in.isReadable() && !waits()) {
			advances = next(in);
		}
		if (this.stopped) {
			return;
		}
		if (in.isReadable()) {
			keep(in);
		}
		watchHead();
	}

	/** Reads the next part. */
	private boolean next(ByteBuf in) {
		try {
			boolean advances = this.decoder.next(in, this.parts);
			for (Object each : this.parts) {
				if (!this.stopped) {
					onPart(each);
				}
			}
			if (!this.isOpen && this.decoder.headSize() > this.owner.maxHead() + MAX_LINE) {
				refuse("431 Request Header Fields Too Large",
						"more header fields than rpc.server.http.max-header-size");
			}
			return advances;
		}
		catch (RuntimeException ex) {
			throw ex;
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			this.parts.forEach(ReferenceCountUtil::release);
			this.parts.clear();
		}
	}

	private void onPart(Object part) {
		if (part instanceof HttpRequest request) {
			onHead(request);
		}
		if (part instanceof HttpContent content && this.isOpen && !this.stopped) {
			onContent(content);
		}
	}

	private void onHead(HttpRequest request) {
		boolean isLong = this.decoder.headSize() > this.owner.maxHead() + MAX_LINE;
		String fault = this.decoder.takeFault();
		Throwable cause = request.decoderResult().cause();
		String problem = (cause != null) ? PrintableText.of(String.valueOf(cause.getMessage()), MAX_QUOTED)
				: !fault.isEmpty() ? fault : Http1Requests.problem(request);
		if (problem != null || isLong) {
			refuse((isLong || cause instanceof TooLongHttpHeaderException) ? "431 Request Header Fields Too Large"
					: (cause instanceof TooLongHttpLineException) ? "414 URI Too Long" : "400 Bad Request",
					(problem != null) ? problem : "more header fields than rpc.server.http.max-header-size");
			return;
		}
		if (!this.owner.isIntroduced()) {
			this.frames.onSettings(new Http2Settings().set(Http2Settings.INITIAL_WINDOW_SIZE, Integer.MAX_VALUE));
		}
		if (this.owner.isGoingAway()) {
			answer("503 Service Unavailable", "The server ends the connection; the call did not run.");
			return;
		}
		this.isPersistent = Http1Requests.isPersistent(request);
		this.isArriving = Http1Requests.hasBody(request);
		this.window = Http2Limits.STREAM_WINDOW;
		this.isOpen = true;
		this.streamId += (this.streamId == 0) ? 1 : 2;
		try {
			this.requests.begin(this.streamId, request, !this.isArriving);
		}
		catch (Http2Exception ex) {
			this.isOpen = false;
			refuse("400 Bad Request", PrintableText.of(String.valueOf(ex.getMessage()), MAX_QUOTED));
			return;
		}
		if (this.isArriving && Http1Requests.expectsContinue(request)) {
			if (this.owner.isAwaited(this.streamId)) {
				this.owner.send(Http1Requests.CONTINUE);
			}
			else {
				this.owner.answerEarly(this.streamId);
			}
		}
	}

	private void onContent(HttpContent part) {
		if (part.decoderResult().isFailure() || this.decoder.isChunkMalformed()) {
			refuse("400 Bad Request", "a chunk of the body that is not valid");
			return;
		}
		onContent(part.content(), part instanceof LastHttpContent);
	}

	/** Hands a part of a body to its stream; what is beyond the window waits. */
	private void onContent(ByteBuf bytes, boolean isLast) {
		boolean ends = isLast && this.isArriving;
		do {
			int count = Math.min(Math.min(bytes.readableBytes(), this.chunk.length), this.window);
			if (count == 0 && bytes.isReadable()) {
				if (take(bytes.readableBytes())) {
					this.surplus = Unpooled.copiedBuffer(bytes); // the read ends first
					this.isSurplusLast = isLast;
				}
				return;
			}
			bytes.readBytes(this.chunk, 0, count);
			this.window -= count;
			boolean isEnd = ends && !bytes.isReadable();
			this.isArriving &= !isEnd;
			if (count > 0 || isEnd) {
				onData(count, isEnd);
			}
		}
		while (bytes.isReadable());
	}

	private void onData(int count, boolean isEnd) {
		try {
			this.frames.onData(this.streamId, this.chunk, 0, count, 0, isEnd);
		}
		catch (Http2Exception ex) {
			if (ex.isConnectionError()) {
				throw ex;
			}
			this.frames.onStreamError(ex);
		}
	}

	/** Answers a request that cannot be read, and ends the connection. */
	private void refuse(String status, String problem) {
		boolean isUnanswered = !this.isOpen || this.owner.isAwaited(this.streamId);
		stop();
		if (isUnanswered) {
			this.owner.send(Http1Text.answer(status, "The request cannot be read: " + problem + "."));
		}
		this.owner.refuse(status, problem);
	}

	/** Answers a request that is not served, and ends the connection. */
	private void answer(String status, String text) {
		stop();
		this.owner.send(Http1Text.answer(status, text));
		this.owner.close();
	}

	/** Keeps bytes; if they are many, reads no others until they can be used. */
	private void keep(ByteBuf in) {
		int count = in.readableBytes();
		if (take(count)) {
			this.rest = Unpooled.buffer(count).writeBytes(in);
			if (waits() && count > MAX_REST) {
				this.context.channel().config().setAutoRead(false);
			}
		}
	}

	private boolean take(int bytes) {
		if (this.owner.take(bytes)) {
			return true;
		}
		this.owner.closeAtOnce("rpc.server.memory.limit: all memory for messages is in use");
		stop();
		return false;
	}

	/** Reads what was kept. */
	private void resume() {
		if (this.stopped) {
			return;
		}
		this.frames.onRead(System.nanoTime(), 0);
		ByteBuf part = this.surplus;
		if (part != null) {
			this.surplus = null;
			this.owner.release(part.readableBytes());
			onContent(part, this.isSurplusLast);
		}
		ByteBuf waiting = this.rest;
		if (waiting != null && !waits()) {
			feedRest(waiting);
		}
		this.frames.onReadComplete();
		if (this.rest == null || !waits()) {
			this.context.channel().config().setAutoRead(true);
		}
	}

	/** Counts the memory of a head that is incomplete, and bounds its time. */
	private void watchHead() {
		int line = (!this.isOpen && this.rest != null) ? this.rest.readableBytes() : 0;
		int held = this.isOpen ? 0 : this.decoder.headMemory() + line;
		boolean isInHead = held > 0;
		if (isInHead || this.wasInHead) {
			this.frames.onIncomplete(held, this.streamId + 2);
		}
		if (isInHead && this.headTimer == null) {
			this.headTimer = this.connection.loop()
				.schedule(() -> refuse("408 Request Timeout", "its head did not arrive in time"), HEAD_SECONDS,
						TimeUnit.SECONDS);
		}
		else if (!isInHead) {
			stopTimer();
		}
		this.wasInHead = isInHead;
	}

	private void stopTimer() {
		if (this.headTimer != null) {
			this.headTimer.cancel(false);
			this.headTimer = null;
		}
	}

	@Override
	public boolean persists() {
		this.goesOn = this.isPersistent && !this.isLeaving && !this.isArriving;
		return this.goesOn;
	}

	@Override
	public void onBody(int bytes, boolean isLast) {
		if (bytes > 0) {
			this.owner.onWritten(bytes);
		}
		if (isLast) {
			this.connection.execute(this::afterResponse);
		}
	}

	private void afterResponse() {
		if (++this.unsent < MAX_UNSENT) {
			readNext();
			return;
		}
		this.owner.afterFlush(() -> {
			this.unsent = 0;
			readNext();
		});
	}

	private void readNext() {
		this.isOpen = false;
		if (this.goesOn) {
			resume();
		}
		else {
			stop();
			this.owner.close();
		}
	}

	@Override
	public void onWindow(int stream, int bytes) {
		if (stream == this.streamId && this.isArriving) {
			this.window += bytes;
			this.connection.execute(this::resume);
		}
	}

	@Override
	public void onReset(Http2Error error) {
		if (error != Http2Error.NO_ERROR) {
			this.connection.execute(this.connection::close);
		}
	}

	/**
	 * Tells it with the next response. An idle connection ends a second after the last
	 * word, so that a request on its way gets an answer.
	 */
	@Override
	public void onGoAway(boolean isFinal) {
		this.isLeaving = true;
		if (isFinal) {
			this.connection.loop().schedule(this::closeIdle, IDLE_SECONDS, TimeUnit.SECONDS);
		}
	}

	private void closeIdle() {
		if (this.isOpen || this.stopped) {
			return;
		}
		if (this.wasInHead) {
			this.connection.loop().schedule(this::closeIdle, IDLE_SECONDS, TimeUnit.SECONDS);
		}
		else {
			stop();
			this.owner.close();
		}
	}

	@Override
	public void onPing(long data) {
		if (this.isLeaving) {
			this.connection.execute(() -> this.frames.onPingAck(data));
		}
	}

	@Override
	public void stop() {
		this.stopped = true;
		this.rest = null;
		this.surplus = null;
		stopTimer();
		if (this.context != null) { // else the client could not read its answer
			this.context.channel().config().setAutoRead(true);
		}
	}

	@Override
	protected void failed(Throwable reason) {
		if (reason instanceof Http2Exception violation) {
			stop();
			this.frames.onConnectionError(violation);
		}
		else {
			super.failed(reason);
		}
	}

	@Override
	public Protocol protocol() {
		return Protocol.CONNECT;
	}

	@Override
	public boolean isInBody() {
		return this.frames.arrivingBody() != null;
	}

	@Override
	public long bodyBeganNanos() {
		ArrivingBody body = this.frames.arrivingBody();
		return (body != null) ? body.beganNanos() : 0;
	}

	@Override
	public int bodyBytes() {
		ArrivingBody body = this.frames.arrivingBody();
		return (body != null) ? body.filled() : 0;
	}

}
