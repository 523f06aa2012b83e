package io.rpcboot.serialization.proto;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of protobuf, out or in. */
final class ProtoWire {

	static final int VARINT = 0;

	static final int FIXED64 = 1;

	static final int BYTES = 2;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	private final ByteBuffer in;

	ProtoWire() {
		this(ByteBuffer.allocate(0));
	}

	ProtoWire(ByteBuffer in) {
		this.in = in.order(ByteOrder.LITTLE_ENDIAN);
	}

	byte[] toByteArray() {
		return this.out.toByteArray();
	}

	void writeVarint(long value) {
		long rest = value;
		for (; (rest & ~0x7FL) != 0; rest >>>= 7) {
			this.out.write((int) (rest & 0x7F | 0x80));
		}
		this.out.write((int) rest);
	}

	void writeDouble(double value) {
		this.out.writeBytes(ByteBuffer.allocate(Double.BYTES).order(ByteOrder.LITTLE_ENDIAN).putDouble(value).array());
	}

	void writeBytes(byte[] bytes) {
		writeVarint(bytes.length);
		this.out.writeBytes(bytes);
	}

	boolean hasRemaining() {
		return this.in.hasRemaining();
	}

	long readVarint() {
		long value = 0;
		byte last;
		int shift = 0;
		do {
			last = this.in.get();
			value |= (last & 0x7FL) << shift;
			shift += 7;
		}
		while (last < 0);
		return value;
	}

	double readDouble() {
		return this.in.getDouble();
	}

	byte[] readBytes() {
		byte[] bytes = new byte[(int) Math.min(readVarint(), this.in.remaining())];
		this.in.get(bytes);
		return bytes;
	}

	void skip(int wireType) {
		switch (wireType) {
			case VARINT -> readVarint();
			case FIXED64 -> readDouble();
			default -> readBytes();
		}
	}

}
