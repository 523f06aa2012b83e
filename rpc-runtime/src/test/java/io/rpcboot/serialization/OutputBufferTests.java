package io.rpcboot.serialization;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OutputBufferTests {

	private static final int WINDOW = OutputBuffer.WINDOW;

	private final ByteArrayOutputStream taken = new ByteArrayOutputStream();

	private final List<Integer> sizes = new ArrayList<>();

	private final List<byte[]> sources = new ArrayList<>();

	private final OutputBuffer buffer = new OutputBuffer(new byte[1024], 1_000_000);

	OutputBufferTests() {
		this.buffer.overflow(this::take);
	}

	private void take(byte[] source, int offset, int length) {
		this.taken.write(source, offset, length);
		this.sizes.add(length);
		this.sources.add(source);
	}

	private static byte[] random(int length) {
		byte[] bytes = new byte[length];
		new Random(length).nextBytes(bytes);
		return bytes;
	}

	private byte[] whole() {
		this.taken.write(this.buffer.array(), 0, this.buffer.position());
		return this.taken.toByteArray();
	}

	@Test
	void message_isNotHandedOver_whenItFitsOneWindow() {
		byte[] bytes = random(WINDOW);
		for (int i = 0; i < WINDOW; i += 1024) {
			this.buffer.write(bytes, i, 1024);
		}
		assertThat(this.buffer.hasOverflowed()).isFalse();
		assertThat(this.buffer.toByteArray()).isEqualTo(bytes);
		assertThat(this.buffer.array()).hasSize(WINDOW);
	}

	/** It goes as a small one, which has to be in the array. */
	@Test
	void singleLongValue_isNotHandedOver() {
		byte[] bytes = random(OutputBuffer.LONG_VALUE);
		this.buffer.write(bytes, 0, bytes.length);
		assertThat(this.buffer.toByteArray()).isEqualTo(bytes);
	}

	@Test
	void longValue_isHandedOver_afterOtherBytes() {
		byte[] bytes = random(OutputBuffer.LONG_VALUE + 1);
		this.buffer.write(bytes, 0, 1);
		this.buffer.write(bytes, 0, bytes.length);
		assertThat(this.buffer.hasOverflowed()).isTrue();
		assertThat(this.buffer.length()).isEqualTo(bytes.length + 1);
	}

	@Test
	void fullWindow_isHandedOverAndReused_whenMoreBytesFollow() {
		byte[] bytes = random(WINDOW + 1);
		for (int i = 0; i < WINDOW; i += 1024) {
			this.buffer.write(bytes, i, 1024);
		}
		byte[] array = this.buffer.array();
		assertThat(this.buffer.reserve(1)).isSameAs(array);
		assertThat(this.buffer.position()).isZero();
		this.buffer.write(bytes, WINDOW, 1);
		assertThat(this.sizes).containsExactly(WINDOW);
		assertThat(this.buffer.hasOverflowed()).isTrue();
		assertThat(this.buffer.length()).isEqualTo(WINDOW + 1);
		assertThat(this.buffer.position()).isEqualTo(1);
		assertThat(whole()).isEqualTo(bytes);
		assertThatIllegalStateException().isThrownBy(this.buffer::toByteArray).withMessageContaining("65536");
	}

	@Test
	void largeRange_isHandedOverWithoutCopy() {
		byte[] bytes = random(500_000);
		this.buffer.write(bytes, 0, 10);
		this.buffer.write(bytes, 10, 499_980);
		this.buffer.write(bytes, 499_990, 10);
		assertThat(this.sizes).containsExactly(10, 499_980);
		assertThat(this.sources).element(1).isSameAs(bytes);
		assertThat(this.buffer.array()).hasSize(1024);
		assertThat(this.buffer.length()).isEqualTo(500_000);
		assertThat(whole()).isEqualTo(bytes);
	}

	@Test
	void oversizedReserve_usesTemporaryArray() {
		this.buffer.write(new byte[] { 1, 2, 3 }, 0, 3);
		byte[] window = this.buffer.array();
		byte[] large = this.buffer.reserve(WINDOW + 1);
		assertThat(large).hasSize(WINDOW + 1);
		assertThat(this.buffer.position()).isZero();
		byte[] bytes = random(WINDOW + 1);
		System.arraycopy(bytes, 0, large, 0, bytes.length);
		this.buffer.position(WINDOW + 1);
		byte[] next = this.buffer.reserve(1);
		assertThat(next).isSameAs(window);
		next[0] = 4;
		this.buffer.position(1);
		assertThat(this.sizes).containsExactly(3, WINDOW + 1);
		assertThat(whole()).startsWith(1, 2, 3).endsWith(4).hasSize(WINDOW + 5).containsSequence(bytes);
	}

	@Test
	void limit_appliesToTotalLength() {
		for (int size : new int[] { 0, 1, 100, WINDOW - 1, WINDOW, WINDOW + 1, 3 * WINDOW }) {
			for (int part : new int[] { 1, 1000, 17_000, WINDOW, WINDOW + 1 }) {
				OutputBuffer exact = new OutputBuffer(new byte[1024], size);
				exact.overflow(this::take);
				fill(exact, size, part);
				assertThat(exact.length()).isEqualTo(size);
				assertThatExceptionOfType(MessageTooLargeException.class)
					.isThrownBy(() -> exact.position(exact.position() + 1))
					.satisfies((ex) -> assertThat(ex.limit()).isEqualTo(size));
				assertThatExceptionOfType(MessageTooLargeException.class).isThrownBy(() -> exact.require(1));
				assertThatExceptionOfType(MessageTooLargeException.class)
					.isThrownBy(() -> exact.write(new byte[1], 0, 1));
				assertThatExceptionOfType(MessageTooLargeException.class)
					.isThrownBy(() -> exact.write(new byte[20_000], 0, 20_000));
				assertThatExceptionOfType(MessageTooLargeException.class)
					.isThrownBy(() -> exact.reserve(Integer.MAX_VALUE));
				assertThat(exact.length()).isEqualTo(size);
			}
		}
	}

	private static void fill(OutputBuffer buffer, int size, int part) {
		byte[] bytes = new byte[part];
		for (int rest = size; rest > 0; rest -= Math.min(rest, part)) {
			buffer.write(bytes, 0, Math.min(rest, part));
		}
	}

	@Test
	void overflowFailure_reachesWriter() {
		this.buffer.overflow((source, offset, length) -> {
			throw new IllegalStateException("no more room");
		});
		this.buffer.write(new byte[10], 0, 10);
		assertThatIllegalStateException().isThrownBy(() -> this.buffer.write(new byte[WINDOW], 0, WINDOW))
			.withMessage("no more room");
		assertThatIllegalStateException().isThrownBy(() -> this.buffer.reserve(WINDOW)).withMessage("no more room");
		assertThat(this.buffer.hasOverflowed()).isFalse();
	}

}
