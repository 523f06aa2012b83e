package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.rpcboot.internal.protocol.connect.ContentType;
import io.rpcboot.internal.protocol.grpc.UserAgent;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HeaderValidator;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.server.access.AccessControl;
import io.rpcboot.internal.server.access.CorsPolicy;
import io.rpcboot.internal.server.connection.ConnectionLifecycle;
import io.rpcboot.internal.server.connection.http2.limits.ClosedStreams;
import io.rpcboot.internal.server.connection.http2.limits.PingLimiter;
import io.rpcboot.internal.server.connection.http2.limits.ResetLimiter;
import io.rpcboot.internal.server.connection.http2.limits.StreamLimit;
import io.rpcboot.internal.server.runtime.ServerResources;
import io.rpcboot.internal.transport.frame.CallTable;
import io.rpcboot.internal.transport.http2.ArrivingBody;
import io.rpcboot.internal.transport.http2.Http2Handler;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.Http2Stream;
import io.rpcboot.internal.transport.http2.InboundWindow;
import io.rpcboot.security.Credentials;
import org.jspecify.annotations.Nullable;

/**
 * Receives the frames of a gRPC client: checks them against the state of their stream,
 * opens streams, and answers requests that are no calls. Event loop only.
 */
public final class Http2ServerFrames implements Http2Handler.Listener {

	/** Addresses that a command may repeat. */
	private static final Pattern COMMON = Pattern.compile("[\\w.:\\[\\]-]{1,100}(/[\\w.$]{1,100}){2}");

	private final Http2ServerConnection calls;

	private final ConnectionLifecycle life;

	/** Opens the streams of gRPC. */
	final RequestOpener requests;

	private final Http2Output output;

	private final CallTable<Http2Stream> streams;

	private final StreamLimit limit;

	public final Http2Limits limits;

	/** Streams that are closed. */
	final ClosedStreams closed = new ClosedStreams();

	/** Streams that were reset before their response. */
	final ResetLimiter resets = new ResetLimiter();

	private final PingLimiter pings = new PingLimiter();

	/** Header fields of the block that is being read. */
	private final RequestHeaders request;

	private final InboundWindow window;

	private long readNanos;

	/** Time for which the event loop stood still before the read, else 0. */
	private long gapNanos;

	/** True once a request had a user agent. */
	private boolean isNamed;

	/** Total of received bytes of DATA. */
	private long received;

	Http2ServerFrames(Http2ServerConnection calls, Function<Http2ServerConnection, RequestOpener> requests) {
		this.calls = calls;
		this.life = calls.life;
		this.requests = requests.apply(calls);
		this.request = this.requests.headers();
		this.output = calls.output;
		this.streams = calls.streams;
		this.limits = limits(calls.server());
		this.window = new InboundWindow(calls.output, this.limits.connectionWindow());
		this.limit = calls.limit;
	}

	private static Http2Limits limits(ServerResources server) {
		AccessControl control = server.access;
		int credentials = (control != null && control.takesCredentials()) ? Credentials.MAX_LENGTH : 0;
		return Http2Limits.server(server.options.http.maxHeaderSize(), server.options.maxAttachments, credentials);
	}

	/** Returns the time of the current read, as {@link System#nanoTime()}. */
	long readNanos() {
		return this.readNanos;
	}

	/** Returns the total of received bytes of DATA. */
	long received() {
		return this.received;
	}

	@Override
	public void onOpen() {
		this.requests.opened();
		this.calls.opened();
	}

	@Override
	public void onRead(long nanos, long gap) {
		this.readNanos = nanos;
		this.gapNanos = gap;
		this.output.blocked.requireRead();
	}

	@Override
	public void onHeadersBegin(int streamId) {
		this.request.begin(this.gapNanos);
	}

	@Override
	public void onHeader(HeaderField field) {
		this.request.accept(field);
	}

	/** Forgets the fields in any case: streams keep those for which there is memory. */
	@Override
	public void onHeadersEnd(int streamId, boolean endStream, boolean tooLong, HeaderValidator fields) {
		try {
			onBlock(streamId, endStream, tooLong, fields);
		}
		finally {
			this.request.clear();
		}
	}

	private void onBlock(int streamId, boolean endStream, boolean tooLong, HeaderValidator fields) {
		Http2Stream stream = this.streams.get(Http2Stream.number(streamId));
		if (stream != null) {
			onTrailers(stream, endStream, tooLong, fields);
			return;
		}
		if (!this.closed.open(streamId)) {
			requireLate(streamId, "HEADERS");
			return;
		}
		this.calls.onStreamId(streamId);
		if (!tooLong) {
			fields.requireRequest(streamId);
		}
		if (this.life.drain.goingAway) {
			return; // the client knows that this stream was not served
		}
		if (this.calls.isFull()) {
			throw Http2Exception.stream(streamId, Http2Error.REFUSED_STREAM,
					"streams over MAX_CONCURRENT_STREAMS (expected: fewer)");
		}
		onRequest(streamId, tooLong);
		if (endStream) {
			Http2Stream opened = this.streams.get(Http2Stream.number(streamId));
			if (opened != null) {
				opened.endStream();
			}
		}
	}

	private void onTrailers(Http2Stream stream, boolean endStream, boolean tooLong, HeaderValidator fields) {
		if (stream.remoteClosed) {
			if (this.closed.isEndedHere(stream.streamId)) {
				return;
			}
			throw Http2Exception.stream(stream.streamId, Http2Error.STREAM_CLOSED,
					"HEADERS behind the end of a stream (expected: none)");
		}
		if (!tooLong) {
			fields.requireTrailers(stream.streamId);
		}
		if (!endStream) {
			throw Http2Exception.stream(stream.streamId, Http2Error.PROTOCOL_ERROR,
					"trailers without END_STREAM (expected: with it)");
		}
		stream.endStream();
	}

	/** Requires that a frame of a stream that is not open may still arrive. */
	private void requireLate(int streamId, String frame) {
		if (this.closed.isIdle(streamId)) {
			throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR,
					frame + " of an idle stream (expected: HEADERS with a new odd id)");
		}
		if (this.closed.isEndedHere(streamId) || this.life.drain.goingAway) {
			return;
		}
		if (this.closed.isResetThere(streamId)) { // grpc-java, if both leave in one batch
			throw Http2Exception.stream(streamId, Http2Error.STREAM_CLOSED,
					frame + " behind RST_STREAM (expected: none)");
		}
		throw Http2Exception.connection(Http2Error.STREAM_CLOSED, frame + " of a closed stream (expected: none)");
	}

	/** Opens the stream of a request, as its content type asks for. */
	private void onRequest(int streamId, boolean tooLong) {
		if (this.calls.overdueTimer == null) {
			this.calls.watchOverdue();
		}
		if (!this.isNamed && !this.request.userAgent().isEmpty()) {
			this.isNamed = true;
			this.life.named(UserAgent.application(this.request.userAgent()));
		}
		if (tooLong || !(this.request.isPost() || this.request.readsQuery(this.requests::find))
				|| !this.calls.formats.contains(this.request.contentType()) || !this.calls.admits(this.request)) {
			this.streams.put(plainAnswer(streamId, tooLong));
		}
		else {
			this.requests.open(streamId, this.request);
		}
	}

	private PlainAnswer plainAnswer(int streamId, boolean tooLong) {
		CorsPolicy.Asked asked = this.request.asked();
		List<Map.Entry<String, String>> allowed = (tooLong || !asked.isPreflight()) ? null
				: this.calls.server().cors.answerPreflight(asked);
		if (this.request.verb().equals("OPTIONS") && allowed != null) {
			return plainAnswer(streamId, 204, allowed, "");
		}
		String types = this.calls.formats.stream().map(ContentType::text).collect(Collectors.joining(", "));
		boolean isCall = this.request.isPost() || this.request.query() != null;
		int status = tooLong ? 431
				: !isCall ? 405 : this.calls.formats.contains(this.request.contentType()) ? 403 : 415;
		String text = switch (status) {
			case 431 -> "The header fields take more than %d bytes, see rpc.server.http.max-header-size."
				.formatted(this.limits.headerList());
			case 415 -> (this.request.query() != null && this.calls.formats.contains(ContentType.PROTOBUF))
					? "This port takes GET with encoding=json or encoding=proto."
					: "This port takes content-type: %s, in UTF-8.%s".formatted(types, example());
			case 403 -> "Pages of this origin may not call, see rpc.server.http.cors.allowed-origins.";
			default ->
				"This port takes calls by POST to /package.Service/Method, with content-type: %s.".formatted(types);
		};
		List<Map.Entry<String, String>> fields = new ArrayList<>(this.calls.server().cors.answer(asked));
		if (status == 415) {
			fields.add(Map.entry("accept-post", types));
		}
		else if (status == 405) {
			fields.add(Map.entry("allow", "POST"));
		}
		return plainAnswer(streamId, status, fields, text);
	}

	/** Returns the command that a person has meant, empty for a path of another form. */
	private String example() {
		String address = this.request.authority() + this.request.path();
		return (this.calls.formats.contains(ContentType.JSON) && COMMON.matcher(address).matches())
				? " Example: curl -H 'Content-Type: application/json' -d '{}' " + address : "";
	}

	private PlainAnswer plainAnswer(int streamId, int status, List<Map.Entry<String, String>> fields, String text) {
		return new PlainAnswer(this.calls, streamId, this.request, status, fields, text);
	}

	@Override
	public void onData(int streamId, byte[] bytes, int offset, int length, int padding, boolean endStream) {
		this.window.onData(length + padding);
		this.received += length;
		Http2Stream stream = this.streams.get(Http2Stream.number(streamId));
		if (stream == null) {
			requireLate(streamId, "DATA");
		}
		else if (!stream.remoteClosed) {
			stream.onData(bytes, offset, length, padding, endStream);
		}
		else if (!this.closed.isEndedHere(streamId)) {
			throw Http2Exception.stream(streamId, Http2Error.STREAM_CLOSED,
					"DATA behind the end of a stream (expected: none)");
		}
	}

	@Override
	public void onRstStream(int streamId, int errorCode) {
		Http2Stream stream = this.streams.get(Http2Stream.number(streamId));
		if (stream == null) {
			if (this.closed.isIdle(streamId)) {
				throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR,
						"RST_STREAM of an idle stream (expected: an open one)");
			}
			return;
		}
		this.closed.resetThere(streamId, this.limit.limit());
		reset(stream, !stream.isAnswered()); // a rejected one has cost less than its
												// answer
	}

	private void reset(Http2Stream stream, boolean isCounted) {
		if (!stream.reset) {
			stream.reset = true;
			stream.remoteClosed = true;
			if (isCounted) {
				countReset();
			}
			this.calls.onStreamReset();
			stream.onReset();
		}
	}

	private void countReset() {
		if (!this.resets.onReset(this.readNanos, this.limit.limit())) {
			throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM,
					"streams that were reset before their response (expected: fewer)");
		}
	}

	@Override
	public void onStreamError(Http2Exception error) {
		int streamId = error.streamId();
		Http2Stream stream = this.streams.get(Http2Stream.number(streamId));
		if (stream == null && this.closed.isIdle(streamId)) {
			throw Http2Exception.connection(error.error(), String.valueOf(error.getMessage()));
		}
		this.closed.endedHere(streamId, this.limit.limit());
		this.output.reset(streamId, error.error());
		if (stream != null && !stream.reset) {
			reset(stream, true);
		}
		else if (error.error() != Http2Error.STREAM_CLOSED
				&& (error.error() != Http2Error.REFUSED_STREAM || this.calls.settings.isLimitKnown())) {
			countReset();
		}
	}

	@Override
	public void onWindowUpdate(int streamId, int increment) {
		if (streamId == 0) {
			this.output.onWindowUpdate(increment);
			this.calls.onWindowUpdate();
			return;
		}
		Http2Stream stream = this.streams.get(Http2Stream.number(streamId));
		if (stream != null) {
			stream.changeWindow(increment);
		}
		else if (this.closed.isIdle(streamId)) {
			throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR,
					"WINDOW_UPDATE of an idle stream (expected: an open one)");
		}
	}

	@Override
	public int onSettings(Http2Settings settings) {
		int difference = this.output.onSettings(settings);
		if (difference != 0) {
			try {
				this.streams.forEach((stream) -> stream.changeWindow(difference));
			}
			catch (Http2Exception ex) { // RFC 9113, section 6.9.2
				throw Http2Exception.connection(ex.error(), String.valueOf(ex.getMessage()));
			}
		}
		this.calls.settings.onSettings(settings);
		if (!this.life.isIntroduced()) {
			this.calls.introduced();
		}
		return (difference != 0) ? this.streams.size() : 0;
	}

	@Override
	public void onSettingsAck() {
		this.calls.settings.onAck();
	}

	@Override
	public void onPing(long data) {
		this.pings.onPing(this.readNanos, this.closed.last() + this.received + this.output.sent());
		this.output.onPing(data);
	}

	@Override
	public void onPingAck(long data) {
		this.calls.onPingAck(data);
	}

	@Override
	public void onGoAway(int lastStreamId, int errorCode, byte[] bytes, int offset, int length) {
		// this side opens no streams
	}

	@Override
	public void onConnectionError(Http2Exception error) {
		this.calls.onConnectionError(error);
	}

	@Override
	public void onIncomplete(int held, long number) {
		this.calls.holds(held, number, this.output.sent() > 0);
	}

	@Override
	public void onReadComplete() {
		this.calls.beginStreamed();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.life.closed(cause);
	}

	@Override
	public @Nullable ArrivingBody arrivingBody() {
		return this.calls.memory.arrivingBody();
	}

}
