package io.rpcboot.internal.server.connection.http2;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.grpc.Gzip;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.protocol.http2.FrameTemplate;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.grpc.HostedCall;
import io.rpcboot.internal.server.scheduling.Invocation;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Stream with one request and one response. It is the frame of its response.
 */
final class Http2ServerStream extends RequestStream {

	/** True if the response may be compressed. */
	private final boolean compresses;

	/** True if the response has a message. */
	private boolean hasMessage;

	Http2ServerStream(Http2ServerConnection connection, int streamId, RequestHeaders headers,
			@Nullable Invocation method) {
		super(connection, streamId, headers, method);
		this.compresses = headers.acceptsGzip() && connection.compresses();
	}

	@Override
	public void reply(RpcStatus outcome, OutputBuffer out) {
		if (outcome != RpcStatus.OK) {
			sendDeclared(outcome, out);
			return;
		}
		ServerCall sending = requireCall();
		this.forgives = true;
		this.hasMessage = true;
		if (this.hosted != null) {
			addFields(this.hosted);
		}
		if (this.compresses && !isCompressed() && shortens(out)) {
			encoded(Gzip.NAME);
		}
		send(sending, out);
	}

	private void encoded(String encoding) {
		compressed();
		if (this.hosted != null) {
			List<Map.Entry<String, String>> all = new ArrayList<>(this.hosted.headers());
			all.add(Map.entry("grpc-encoding", encoding));
			this.hosted.headers(all);
		}
	}

	/** Adds what the service has set. */
	private void addFields(HostedCall call) {
		String encoding = this.hasMessage ? call.encoding() : null;
		if (encoding != null) {
			encoded(encoding);
		}
		if (!call.trailers().isEmpty()) {
			ResponseTrailers end = this.trailers;
			this.trailers = ((end != null) ? end : ResponseTrailers.ok(Map.of())).with(call.trailers());
		}
	}

	/** Returns the fields that precede the response. */
	private List<Map.Entry<String, String>> head() {
		return (this.hosted != null) ? this.hosted.headers()
				: isCompressed() ? List.of(Map.entry("grpc-encoding", Gzip.NAME)) : List.of();
	}

	@Override
	protected void fail(ServerCall failed, ResponseTrailers end) {
		this.forgives = end.isHonest();
		this.trailers = end;
		this.hasMessage = false;
		if (this.hosted != null) {
			addFields(this.hosted);
		}
		holds(NOTHING, 0, null);
		resetLarge();
		finish(failed);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = isWanted();
		if (wanted && !writable) {
			return block(WriteDecision.BLOCKED_BY_SOCKET);
		}
		if (wanted && this.hasMessage) {
			WriteDecision decision = admitBody();
			if (decision != WriteDecision.WRITE) {
				return block(decision);
			}
		}
		return ends(wanted);
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		this.connection.headers.headers(out, this.streamId, head());
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		ResponseHeaders headers = this.connection.headers;
		if (!this.hasMessage) {
			boolean hasHead = !head().isEmpty() && !hasBegun();
			if (hasHead) {
				writeHeaders(out);
			}
			headers.trailers(out, this.streamId, this.trailers, !hasBegun() && !hasHead);
		}
		else if (this.trailers == null && head().isEmpty() && isWhole()) {
			writeSuccess(out, bytes, headers);
		}
		else {
			writeData(out, bytes, false);
			headers.trailers(out, this.streamId, this.trailers, false);
		}
		writeEnd(out);
	}

	private void writeSuccess(ByteBuf out, byte[] bytes, ResponseHeaders headers) {
		FrameTemplate template = headers.success();
		if (template != null) {
			template.writeHead(out, this.streamId, MessagePrefix.LENGTH + this.length);
			writeBody(out, bytes);
			template.writeTail(out, this.streamId);
			return;
		}
		int start = out.writerIndex();
		int generation = headers.generation();
		writeData(out, bytes, false);
		headers.trailers(out, this.streamId, null, false);
		headers.capture(out, start, generation);
	}

}
