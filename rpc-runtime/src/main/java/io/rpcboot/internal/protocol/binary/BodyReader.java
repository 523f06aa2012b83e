package io.rpcboot.internal.protocol.binary;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import io.rpcboot.internal.protocol.ProtocolException;
import io.rpcboot.serialization.contract.ContractHash;

/** Reads the bodies of control frames, never beyond their end. */
final class BodyReader {

	private final ByteBuffer in;

	private final String what;

	BodyReader(String what, byte[] body) {
		this.what = what;
		this.in = ByteBuffer.wrap(body);
	}

	int unsignedByte() {
		need(1);
		return this.in.get() & 0xff;
	}

	int unsignedShort() {
		need(2);
		return this.in.getShort() & 0xffff;
	}

	int positiveInt() {
		need(4);
		int value = this.in.getInt();
		if (value < 0) {
			throw new ProtocolException(this.what + ": negative number");
		}
		return value;
	}

	long nonNegativeLong() {
		long value = anyLong();
		if (value < 0) {
			throw new ProtocolException(this.what + ": negative number");
		}
		return value;
	}

	long anyLong() {
		need(8);
		return this.in.getLong();
	}

	String text() {
		int length = unsignedShort();
		need(length);
		String text = new String(this.in.array(), this.in.position(), length, StandardCharsets.UTF_8);
		this.in.position(this.in.position() + length);
		return text;
	}

	ContractHash hash() {
		return new ContractHash(anyLong(), anyLong());
	}

	boolean hasMore() {
		return this.in.hasRemaining();
	}

	private void need(int bytes) {
		if (this.in.remaining() < bytes) {
			throw new ProtocolException(this.what + ": truncated body");
		}
	}

}
