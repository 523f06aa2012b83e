package io.rpcboot.security;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes bytes as protostuff does, right or wrong as one likes. */
final class Wire {

	static final int VARINT = 0;

	static final int FIXED64 = 1;

	static final int BYTES = 2;

	static final int START = 3;

	static final int END = 4;

	static final int FIXED32 = 5;

	static final int REFERENCE = 6;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	Wire raw(int... bytes) {
		for (int each : bytes) {
			this.out.write(each);
		}
		return this;
	}

	Wire varint(long value) {
		long rest = value;
		while ((rest & ~0x7FL) != 0) {
			this.out.write((int) (rest & 0x7F) | 0x80);
			rest >>>= 7;
		}
		this.out.write((int) rest);
		return this;
	}

	Wire tag(int number, int wireType) {
		return varint(((long) number << 3 | wireType) & 0xFFFFFFFFL);
	}

	Wire number(int field, long value) {
		return tag(field, VARINT).varint(value);
	}

	Wire text(int field, String text) {
		return bytes(field, text.getBytes(StandardCharsets.UTF_8));
	}

	Wire bytes(int field, byte... bytes) {
		tag(field, BYTES).varint(bytes.length);
		this.out.writeBytes(bytes);
		return this;
	}

	/** A length that is claimed. */
	Wire length(int field, long length) {
		return tag(field, BYTES).varint(length);
	}

	Wire start(int field) {
		return tag(field, START);
	}

	Wire end(int field) {
		return tag(field, END);
	}

	Wire group(int field, Wire content) {
		start(field);
		this.out.writeBytes(content.toByteArray());
		return end(field);
	}

	Wire repeat(int times, Wire what) {
		byte[] bytes = what.toByteArray();
		for (int i = 0; i < times; i++) {
			this.out.writeBytes(bytes);
		}
		return this;
	}

	byte[] toByteArray() {
		return this.out.toByteArray();
	}

}
