package io.rpcboot.internal.transport.http2;

import java.util.Arrays;
import java.util.Random;

import io.netty.buffer.ByteBuf;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.protocol.grpc.MessagePrefix;
import io.rpcboot.internal.protocol.http2.HpackEncoder.Indexing;
import io.rpcboot.internal.transport.fixture.LargeBodies;
import io.rpcboot.internal.transport.frame.WriteDecision;

/** Stream with one message, which counts what happens to it. */
final class TestStream extends Http2Stream {

	final byte[] message;

	boolean wanted = true;

	int written;

	int skipped;

	int rejected;

	/** Creates a stream whose message is in an array, or in chunks if it is large. */
	TestStream(Http2Output output, int streamId, int size) {
		super(output, 0, Long.MAX_VALUE);
		open(streamId);
		this.message = new byte[size];
		new Random(size + streamId).nextBytes(this.message);
		if (size > LARGE_BODY) {
			holds(NOTHING, size, LargeBodies.of(this.message));
		}
		else {
			body(this.message, size);
		}
		splits();
	}

	/** Returns the message with its prefix. */
	byte[] encoded() {
		byte[] all = new byte[MessagePrefix.LENGTH + this.message.length];
		MessagePrefix.write(all, 0, false, this.message.length);
		System.arraycopy(this.message, 0, all, MessagePrefix.LENGTH, this.message.length);
		return all;
	}

	@Override
	public WriteDecision beforeWrite(boolean writable) {
		if (!this.wanted) {
			this.skipped++;
			return WriteDecision.SKIP;
		}
		if (!writable) {
			return WriteDecision.BLOCKED_BY_SOCKET;
		}
		WriteDecision decision = admitBody();
		this.written += (decision == WriteDecision.WRITE) ? 1 : 0;
		return decision;
	}

	@Override
	protected int prefixLength() {
		return MessagePrefix.LENGTH;
	}

	@Override
	protected void writePrefix(ByteBuf out, int from, int to) {
		byte[] prefix = new byte[MessagePrefix.LENGTH];
		MessagePrefix.write(prefix, 0, false, this.message.length);
		out.writeBytes(prefix, from, to - from);
	}

	@Override
	protected void writeHeaders(ByteBuf out) {
		int index = this.output.writer.beginHeaders(out, this.streamId, false);
		this.output.writer.encoder().encode(out, ":status", "200", Indexing.FIELD);
		this.output.writer.endHeaders(out, index);
	}

	@Override
	public void writeTo(ByteBuf out, byte[] bytes) {
		writeData(out, bytes, true);
	}

	@Override
	public boolean isUrgent() {
		return false;
	}

	@Override
	public boolean isExpired() {
		return !this.wanted;
	}

	@Override
	public void onRejected() {
		this.rejected++;
	}

	/** Number of outcomes that the stream got. */
	int ends() {
		return this.written + this.skipped + this.rejected;
	}

	@Override
	public String toString() {
		return "stream " + this.streamId + " with " + Arrays.hashCode(this.message);
	}

	@Override
	protected void onBody(byte[] in, int from, int to) {
		throw new IllegalStateException("nothing arrives");
	}

	@Override
	public void reject(RpcStatus status, String why) {
		throw new IllegalStateException(why);
	}

	@Override
	public void onReset() {
		throw new IllegalStateException("nothing arrives");
	}

	@Override
	public void onConnectionClosed() {
		throw new IllegalStateException("nothing arrives");
	}

}
