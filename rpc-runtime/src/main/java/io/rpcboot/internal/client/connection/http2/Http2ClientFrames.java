package io.rpcboot.internal.client.connection.http2;

import java.nio.charset.StandardCharsets;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.http2.HeaderField;
import io.rpcboot.internal.protocol.http2.HeaderValidator;
import io.rpcboot.internal.protocol.http2.Http2Error;
import io.rpcboot.internal.protocol.http2.Http2Exception;
import io.rpcboot.internal.protocol.http2.Http2Limits;
import io.rpcboot.internal.protocol.http2.Http2Settings;
import io.rpcboot.internal.text.PrintableText;
import io.rpcboot.internal.transport.http2.ArrivingBody;
import io.rpcboot.internal.transport.http2.Http2Handler;
import io.rpcboot.internal.transport.http2.Http2Output;
import io.rpcboot.internal.transport.http2.Http2Stream;
import io.rpcboot.internal.transport.http2.InboundWindow;
import org.jspecify.annotations.Nullable;

/**
 * Receives the frames of a gRPC server and checks them against the state of their stream.
 * Event loop only.
 */
final class Http2ClientFrames implements Http2Handler.Listener {

	/** Maximum length of the reason of a GOAWAY, in characters. */
	private static final int MAX_REASON = 500;

	private final Http2ClientConnection calls;

	private final Http2Output output;

	final Http2Limits limits;

	private final InboundWindow window;

	Http2ClientFrames(Http2ClientConnection calls, int maxAttachments) {
		this.calls = calls;
		this.output = calls.output;
		this.limits = Http2Limits.client(maxAttachments);
		this.window = new InboundWindow(calls.output, this.limits.connectionWindow());
	}

	@Override
	public void onOpen() {
		Http2Settings settings = new Http2Settings().set(Http2Settings.ENABLE_PUSH, 0)
			.set(Http2Settings.INITIAL_WINDOW_SIZE, Http2Limits.STREAM_WINDOW)
			.set(Http2Settings.MAX_HEADER_LIST_SIZE, this.limits.headerList());
		this.output.control((writer, out) -> {
			writer.preface(out);
			writer.settings(out, settings);
			writer.windowUpdate(out, 0, this.limits.connectionWindow() - Http2Settings.DEFAULT_WINDOW_SIZE);
		});
		this.calls.opened();
	}

	@Override
	public void onRead(long nanos, long gapNanos) {
		this.calls.reads(nanos);
		this.output.blocked.requireRead();
	}

	@Override
	public void onHeadersBegin(int streamId) {
		// the fields of the block before were forgotten
	}

	@Override
	public void onHeader(HeaderField field) {
		this.calls.responses.accept(field);
	}

	/** Forgets the fields in any case: streams keep those for which there is memory. */
	@Override
	public void onHeadersEnd(int streamId, boolean endStream, boolean tooLong, HeaderValidator validator) {
		try {
			onBlock(streamId, endStream, tooLong, validator);
		}
		finally {
			this.calls.responses.clear();
		}
	}

	private void onBlock(int streamId, boolean endStream, boolean tooLong, HeaderValidator validator) {
		Http2ClientStream stream = find(streamId, "HEADERS");
		if (stream == null) {
			return;
		}
		if (tooLong) {
			stream.reject(RpcStatus.INTERNAL,
					"the header fields of the response take more than %d bytes".formatted(this.limits.headerList()));
			return;
		}
		if (stream.takesTrailers()) {
			validator.requireTrailers(streamId);
		}
		else {
			validator.requireResponse(streamId);
		}
		stream.onHeaders(this.calls.responses, endStream);
	}

	/** Returns an open stream, null for one that has ended here. */
	private @Nullable Http2ClientStream find(int streamId, String frame) {
		this.calls.pings.onStreamFrame();
		int number = Http2Stream.number(streamId);
		if ((streamId & 1) == 0 || number > this.calls.lastStream()) {
			throw Http2Exception.connection(Http2Error.PROTOCOL_ERROR,
					frame + " of an idle stream (expected: a stream that this client has opened)");
		}
		return this.calls.stream(number);
	}

	@Override
	public void onData(int streamId, byte[] bytes, int offset, int length, int padding, boolean endStream) {
		this.window.onData(length + padding);
		Http2ClientStream stream = find(streamId, "DATA");
		if (stream != null) {
			stream.onData(bytes, offset, length, padding, endStream);
		}
	}

	@Override
	public void onRstStream(int streamId, int errorCode) {
		Http2ClientStream stream = find(streamId, "RST_STREAM");
		if (stream != null) {
			stream.onReset(Http2Error.of(errorCode));
		}
	}

	@Override
	public void onStreamError(Http2Exception error) {
		this.output.reset(error.streamId(), error.error());
		Http2ClientStream stream = find(error.streamId(), "frame");
		if (stream != null) {
			stream.violated("the response violates HTTP/2: " + error.getMessage());
		}
	}

	@Override
	public int onSettings(Http2Settings settings) {
		return this.calls.settings(settings);
	}

	@Override
	public void onSettingsAck() {
		// the settings of this side are such that the server may learn them late
	}

	@Override
	public void onPing(long data) {
		this.output.onPing(data);
	}

	@Override
	public void onPingAck(long data) {
		this.calls.pings.onAck();
	}

	@Override
	public void onGoAway(int lastStreamId, int errorCode, byte[] bytes, int offset, int length) {
		String text = new String(bytes, offset, length, StandardCharsets.UTF_8);
		Http2Error error = Http2Error.of(errorCode);
		String reason = PrintableText.of(text.isEmpty() ? error.toString() : text, MAX_REASON);
		boolean isNotice = lastStreamId == Integer.MAX_VALUE && error == Http2Error.NO_ERROR;
		this.calls.leave(isNotice ? Long.MAX_VALUE : Http2Stream.number(lastStreamId), reason);
	}

	@Override
	public void onWindowUpdate(int streamId, int increment) {
		if (streamId == 0) {
			this.output.onWindowUpdate(increment);
			this.output.queue.pull(); // calls have waited for it
			return;
		}
		Http2ClientStream stream = find(streamId, "WINDOW_UPDATE");
		if (stream != null) {
			stream.changeWindow(increment);
		}
	}

	@Override
	public void onConnectionError(Http2Exception error) {
		this.output.control((writer, out) -> writer.goAway(out, 0, error.error(), String.valueOf(error.getMessage())));
		this.calls.endAfterFlush("the server violates HTTP/2: " + error.getMessage());
	}

	@Override
	public void onIncomplete(int held, long number) {
		this.calls.holds(held, number, true);
	}

	@Override
	public void onReadComplete() {
		this.calls.readsNoMore();
	}

	@Override
	public void onClosed(@Nullable Throwable cause) {
		this.calls.closed(cause);
	}

	@Override
	public @Nullable ArrivingBody arrivingBody() {
		return this.calls.memory().arrivingBody();
	}

}
