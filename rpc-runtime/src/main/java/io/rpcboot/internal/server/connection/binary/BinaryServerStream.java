package io.rpcboot.internal.server.connection.binary;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.binary.AttachmentsSection;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.server.call.ErrorResponse;
import io.rpcboot.internal.server.call.ResponseEnd;
import io.rpcboot.internal.server.call.ResponseSink;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.transport.frame.OutboundFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import io.rpcboot.serialization.OutputBuffer;
import io.rpcboot.serialization.SerializationException;
import org.jspecify.annotations.Nullable;

/** A call of the native protocol, and the RESPONSE frame that ends it. */
public final class BinaryServerStream extends OutboundFrame implements ResponseSink {

	private final BinaryServerConnection connection;

	/** Set right after the creation. */
	@SuppressWarnings("NullAway.Init")
	public ServerCall call;

	private short flags;

	private char code;

	/** True if the call ends without a response; the write queue skips the frame. */
	private boolean isSilent;

	/** True once the call has left the table of the connection. Event loop only. */
	boolean released;

	BinaryServerStream(BinaryServerConnection connection, long callId) {
		super(NOTHING);
		this.connection = connection;
		this.callId = callId;
	}

	@Override
	public void attach(Attachments attachments, int max, OutputBuffer out) {
		this.flags = 0; // an earlier try may have set them
		byte[] section = section(attachments, max);
		out.write(section, 0, section.length);
		this.flags = attachmentsFlag(section);
	}

	/** Returns the encoded attachments, empty if the client takes none. */
	private byte[] section(Attachments attachments, int max) {
		int limit = Math.min(this.connection.maxAttachments(), max);
		if (limit == 0) {
			return NOTHING;
		}
		try {
			return AttachmentsSection.encode(AttachmentsSection.fitting(attachments, limit), limit);
		}
		catch (IllegalArgumentException ex) {
			throw new SerializationException("attachments of the reply: " + ex.getMessage());
		}
	}

	private static short attachmentsFlag(byte[] section) {
		return (short) ((section.length > 0) ? FrameHeader.FLAG_ATTACHMENTS : 0);
	}

	@Override
	public void reply(RpcStatus outcome, OutputBuffer out) {
		if (outcome != RpcStatus.OK) {
			this.code = (char) outcome.code();
			this.flags |= FrameHeader.FLAG_DECLARED_EXCEPTION;
		}
		this.length = out.length();
		if (this.connection.queue.writeNow(this, out.array())) {
			this.call.responding();
			return;
		}
		this.call.keep(out, this);
		enqueue();
	}

	@Override
	public void end(ErrorResponse error, @Nullable Attachments attachments) {
		int errorFlags = ((error.run() == ErrorResponse.Run.NO) ? FrameHeader.FLAG_NOT_EXECUTED : 0)
				| (error.isFinal() ? FrameHeader.FLAG_FINAL : 0);
		int max = FrameType.needsGrant(FrameType.RESPONSE, errorFlags) ? this.connection.maxResponse()
				: FrameType.MAX_CONTROL_BODY;
		Attachments all = error.details().isEmpty() ? attachments : withDetails(error, attachments);
		byte[] section = (all != null) ? sectionOfError(all, max / 2) : NOTHING;
		byte[] texts = Failure.fitting(error.message(), error.type(), max - section.length).encode();
		byte[] whole = Arrays.copyOf(section, section.length + texts.length);
		System.arraycopy(texts, 0, whole, section.length, texts.length);
		this.code = (char) error.status().code();
		this.flags = (short) (errorFlags | attachmentsFlag(section));
		holds(whole, whole.length, null);
		enqueue();
	}

	private static Attachments withDetails(ErrorResponse error, @Nullable Attachments attachments) {
		Attachments all = (attachments != null) ? attachments.copy() : new Attachments();
		return all.putOptional(ErrorResponse.DETAILS, error.details());
	}

	/** Returns the attachments of an error; none, if the required ones do not fit. */
	private byte[] sectionOfError(Attachments attachments, int max) {
		try {
			return section(attachments, max);
		}
		catch (SerializationException ex) {
			this.connection.responder.log(this.call, ex);
			return NOTHING;
		}
	}

	@Override
	public void drop() {
		this.isSilent = true;
		holds(NOTHING, 0, null);
		enqueue();
	}

	/** Only once: the links of the frame allow one queue. */
	private void enqueue() {
		try {
			this.call.responding();
		}
		finally { // whatever a listener of the context throws
			if (!this.connection.queue.enqueue(this)) {
				onRejected();
			}
		}
	}

	@Override
	public int headerLength() {
		return FrameHeader.LENGTH;
	}

	@Override
	public void writeHeader(ByteBuf out) {
		FrameHeader.write(out, this.length, FrameType.RESPONSE, this.flags, this.code, this.callId);
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		boolean wanted = !this.isSilent && !isExpired();
		if (wanted && !writable) {
			return block(WriteDecision.BLOCKED_BY_SOCKET);
		}
		if (wanted && (this.flags & FrameHeader.FLAG_NOT_EXECUTED) == 0) {
			WriteDecision decision = this.connection.replies().admit(this, this.length);
			if (decision != WriteDecision.WRITE) {
				return block(decision);
			}
			this.connection.replies().sent(this.length);
		}
		this.released = true;
		this.connection.release(this);
		if (wanted) {
			retainLarge();
			return WriteDecision.WRITE;
		}
		this.call.responseEnded(ResponseEnd.DROPPED);
		return WriteDecision.SKIP;
	}

	private WriteDecision block(WriteDecision how) {
		this.call.responseBlocked();
		return how;
	}

	@Override
	public boolean isExpired() {
		return this.call.isUnwanted();
	}

	@Override
	public boolean wantsWriteResult() {
		return true;
	}

	@Override
	public void onWriteComplete(boolean written) {
		this.call.responseEnded(written ? ResponseEnd.WRITTEN : ResponseEnd.FAILED);
	}

	@Override
	public void onRejected() {
		this.call.responseEnded(ResponseEnd.REJECTED);
	}

	@Override
	public String toString() {
		return "response to " + this.call.method.descriptor;
	}

}
