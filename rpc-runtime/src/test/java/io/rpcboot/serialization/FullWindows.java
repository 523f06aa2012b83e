package io.rpcboot.serialization;

import java.util.Arrays;
import java.util.function.Consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Writes a message into windows that are nearly full, so that the end of the window falls
 * on every part of it, and compares the bytes with those of a buffer without an overflow.
 */
public final class FullWindows {

	private static final int LIMIT = Integer.MAX_VALUE;

	/** Each place of a short message, and some of those of a longer one. */
	private static final int EACH = 16;

	private static final int PLACES = 8;

	private final byte[] array = new byte[OutputBuffer.WINDOW];

	private final Consumer<OutputBuffer> writer;

	private final byte[] expected;

	private FullWindows(Consumer<OutputBuffer> writer) {
		this.writer = writer;
		OutputBuffer whole = new OutputBuffer(new byte[16], LIMIT);
		writer.accept(whole);
		this.expected = whole.toByteArray();
	}

	/**
	 * Check a message.
	 * @param writer writes the same bytes each time
	 * @return the bytes
	 */
	public static byte[] check(Consumer<OutputBuffer> writer) {
		FullWindows windows = new FullWindows(writer);
		int length = windows.expected.length;
		int most = Math.min(length + 20, OutputBuffer.WINDOW);
		for (int room = 0; room <= most; room += (room < EACH) ? 1 : 1 + most / PLACES) {
			windows.write(room, LIMIT);
		}
		for (int room : new int[] { 0, 1, Math.min(length, OutputBuffer.WINDOW) / 2, OutputBuffer.WINDOW }) {
			windows.limit(room);
		}
		windows.limitWithoutOverflow();
		return windows.expected;
	}

	private void limit(int room) {
		int used = this.array.length - room;
		write(room, used + this.expected.length);
		if (this.expected.length > 0) {
			assertThatExceptionOfType(MessageTooLargeException.class)
				.isThrownBy(() -> write(room, used + this.expected.length - 1));
		}
	}

	private void limitWithoutOverflow() {
		OutputBuffer exact = new OutputBuffer(new byte[0], this.expected.length);
		this.writer.accept(exact);
		assertThat(exact.toByteArray()).isEqualTo(this.expected);
		if (this.expected.length > 0) {
			OutputBuffer small = new OutputBuffer(new byte[0], this.expected.length - 1);
			assertThatExceptionOfType(MessageTooLargeException.class).isThrownBy(() -> this.writer.accept(small));
		}
	}

	private void write(int room, int limit) {
		int used = this.array.length - room;
		OutputBuffer buffer = new OutputBuffer(this.array, limit);
		Taker taker = new Taker(buffer, used);
		buffer.overflow(taker);
		buffer.position(used);
		this.writer.accept(buffer);
		assertThat(buffer.length()).isEqualTo(used + this.expected.length);
		assertThat(buffer.hasOverflowed()).isEqualTo(taker.taken > 0);
		taker.compare(buffer.array(), 0, buffer.position());
		assertThat(taker.taken).isEqualTo(buffer.length());
	}

	/** Compares what it takes. */
	private final class Taker implements OutputBuffer.Overflow {

		private final OutputBuffer buffer;

		/** Bytes in front of the message. */
		private final int used;

		private int taken;

		private Taker(OutputBuffer buffer, int used) {
			this.buffer = buffer;
			this.used = used;
		}

		@Override
		public void write(byte[] source, int offset, int length) {
			assertThat(length).isPositive();
			compare(source, offset, length);
		}

		private void compare(byte[] source, int offset, int length) {
			assertThat(this.buffer.array().length).as("array").isLessThanOrEqualTo(OutputBuffer.WINDOW);
			int skipped = Math.min(length, Math.max(0, this.used - this.taken));
			int from = this.taken + skipped - this.used;
			byte[] message = FullWindows.this.expected;
			if (!Arrays.equals(source, offset + skipped, offset + length, message, Math.max(0, from),
					Math.max(0, from + length - skipped))) {
				throw new AssertionError("other bytes at %d of %d".formatted(from, message.length));
			}
			this.taken += length;
		}

	}

}
