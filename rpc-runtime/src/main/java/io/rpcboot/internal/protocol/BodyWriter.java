package io.rpcboot.internal.protocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

import io.rpcboot.serialization.contract.ContractHash;

/** Writes the bodies of control frames. */
final class BodyWriter {

	/** A char takes at most three bytes, and a length has two. */
	private static final int MAX_CHARS = 0xffff / 3;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final DataOutputStream out = new DataOutputStream(this.bytes);

	BodyWriter unsignedByte(int value) {
		return write(() -> this.out.writeByte(value));
	}

	BodyWriter unsignedShort(int value) {
		return write(() -> this.out.writeShort(value));
	}

	BodyWriter integer(int value) {
		return write(() -> this.out.writeInt(value));
	}

	BodyWriter number(long value) {
		return write(() -> this.out.writeLong(value));
	}

	BodyWriter text(String text) {
		byte[] utf8 = cut(text).getBytes(StandardCharsets.UTF_8);
		return write(() -> {
			this.out.writeShort(utf8.length);
			this.out.write(utf8);
		});
	}

	BodyWriter hash(ContractHash hash) {
		return number(hash.high()).number(hash.low());
	}

	byte[] toByteArray() {
		return this.bytes.toByteArray();
	}

	private static String cut(String text) {
		if (text.length() <= MAX_CHARS) {
			return text;
		}
		boolean pair = Character.isHighSurrogate(text.charAt(MAX_CHARS - 1));
		return text.substring(0, pair ? MAX_CHARS - 1 : MAX_CHARS);
	}

	private BodyWriter write(Step step) {
		try {
			step.run();
			return this;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface Step {

		void run() throws IOException;

	}

}
