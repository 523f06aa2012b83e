package io.rpcboot.internal.protocol.binary;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

import io.rpcboot.serialization.contract.ContractHash;

/** Writes the bodies of control frames. Numbers are big-endian. */
final class BodyWriter {

	/** Largest number of characters: 65,535 bytes, at most three for each character. */
	private static final int MAX_CHARS = 0xffff / 3;

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	BodyWriter unsignedByte(int value) {
		return write(value, Byte.BYTES);
	}

	BodyWriter unsignedShort(int value) {
		return write(value, Short.BYTES);
	}

	BodyWriter integer(int value) {
		return write(value, Integer.BYTES);
	}

	BodyWriter number(long value) {
		return write(value, Long.BYTES);
	}

	BodyWriter text(String text) {
		byte[] utf8 = cut(text).getBytes(StandardCharsets.UTF_8);
		unsignedShort(utf8.length);
		this.out.writeBytes(utf8);
		return this;
	}

	BodyWriter hash(ContractHash hash) {
		return number(hash.high()).number(hash.low());
	}

	byte[] toByteArray() {
		return this.out.toByteArray();
	}

	private static String cut(String text) {
		if (text.length() <= MAX_CHARS) {
			return text;
		}
		boolean pair = Character.isHighSurrogate(text.charAt(MAX_CHARS - 1));
		return text.substring(0, pair ? MAX_CHARS - 1 : MAX_CHARS);
	}

	private BodyWriter write(long value, int bytes) {
		for (int shift = (bytes - 1) * Byte.SIZE; shift >= 0; shift -= Byte.SIZE) {
			this.out.write((int) (value >>> shift));
		}
		return this;
	}

}
