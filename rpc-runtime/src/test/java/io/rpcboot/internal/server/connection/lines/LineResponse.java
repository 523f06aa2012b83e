package io.rpcboot.internal.server.connection.lines;

import java.nio.charset.StandardCharsets;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.server.call.ErrorResponse;
import io.rpcboot.internal.server.call.ResponseEnd;
import io.rpcboot.internal.server.call.ResponseSink;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/** Answer to a line, which begins with its number; or a notice, which has none. */
final class LineResponse extends OutboundFrame implements ResponseSink {

	private final LineConnection connection;

	private final Runnable afterwards;

	/** Null for a notice, and for a line that was rejected. */
	@Nullable ServerCall call;

	private String mark = "";

	private boolean isSilent;

	LineResponse(LineConnection connection, long number) {
		this(connection, number, () -> {
		});
	}

	private LineResponse(LineConnection connection, long number, Runnable afterwards) {
		super(NOTHING);
		this.connection = connection;
		this.callId = number;
		this.afterwards = afterwards;
	}

	static LineResponse notice(LineConnection connection, String text, Runnable afterwards) {
		LineResponse notice = new LineResponse(connection, 0, afterwards);
		notice.text(text);
		return notice;
	}

	private void text(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		holds(bytes, bytes.length, null);
	}

	@Override
	public void attach(Attachments attachments, int max, OutputBuffer out) {
		// lines have none
	}

	@Override
	public void reply(RpcStatus outcome, OutputBuffer out) {
		this.mark = (outcome == RpcStatus.OK) ? "" : "! ";
		this.call.keep(out, this);
		enqueue();
	}

	@Override
	public void end(ErrorResponse error, @Nullable Attachments attachments) {
		this.mark = "! ";
		text(error.status() + " " + error.message());
		enqueue();
	}

	@Override
	public void drop() {
		this.isSilent = true;
		holds(NOTHING, 0, null);
		enqueue();
	}

	private void enqueue() {
		try {
			this.call.responding();
		}
		finally {
			if (!this.connection.queue.enqueue(this)) {
				onRejected();
			}
		}
	}

	void abandon() {
		this.call.abandon((size) -> false);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = !this.isSilent && !isExpired();
		if (wanted && !writable) {
			if (this.call != null) {
				this.call.responseBlocked();
			}
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		this.connection.release(this);
		if (!wanted) {
			this.call.responseEnded(ResponseEnd.DROPPED);
		}
		return wanted ? WriteDecision.WRITE : WriteDecision.SKIP;
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		String begin = (this.callId > 0) ? this.callId + " " + this.mark : "";
		out.writeCharSequence(begin, StandardCharsets.US_ASCII);
		out.writeBytes(bytes, 0, this.length).writeByte('\n');
	}

	@Override
	public boolean isExpired() {
		return this.call != null && this.call.isUnwanted();
	}

	@Override
	public boolean wantsWriteResult() {
		return true;
	}

	@Override
	public void onWriteComplete(boolean written) {
		if (this.call != null) {
			this.call.responseEnded(written ? ResponseEnd.WRITTEN : ResponseEnd.FAILED);
		}
		this.afterwards.run();
	}

	@Override
	public void onRejected() {
		if (this.call != null) {
			this.call.responseEnded(ResponseEnd.REJECTED);
		}
		this.afterwards.run();
	}

}
