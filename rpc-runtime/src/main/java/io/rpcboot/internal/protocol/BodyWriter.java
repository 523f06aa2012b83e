package io.rpcboot.internal.protocol;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Writes the bodies of control frames. */
final class BodyWriter {

	private static final int MAX_TEXT = 32 * 1024;

	private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

	private final DataOutputStream out = new DataOutputStream(this.bytes);

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

	byte[] toByteArray() {
		return this.bytes.toByteArray();
	}

	/** A char takes at most three bytes, and a length has two. */
	private static String cut(String text) {
		return (text.length() * 3 <= 0xffff) ? text : text.substring(0, MAX_TEXT / 2);
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
