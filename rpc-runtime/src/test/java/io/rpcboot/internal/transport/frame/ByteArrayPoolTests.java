package io.rpcboot.internal.transport.frame;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Arrays that go from call to call: long enough, not much longer, never in two hands. */
class ByteArrayPoolTests {

	private final ByteArrayPool arrays = new ByteArrayPool();

	@ParameterizedTest
	@ValueSource(ints = { ByteArrayPool.SHORTEST, 10_000, 16 * 1024, 65_546, 1 << 20, (8 << 20) + 3,
			Integer.MAX_VALUE / 64 })
	void returnedArray_isReused(int length) {
		byte[] array = this.arrays.take(length);
		assertThat(array).hasSize(length);
		this.arrays.give(array);
		assertThat(this.arrays.take(length)).isSameAs(array);
		assertThat(this.arrays.take(length)).isNotSameAs(array);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 4096, ByteArrayPool.SHORTEST - 1 })
	void shortArrays_areAlwaysNew(int length) {
		byte[] array = this.arrays.take(length);
		this.arrays.give(array);
		assertThat(this.arrays.take(length)).hasSize(length).isNotSameAs(array);
		assertThat(this.arrays.copy(array, 0, length)).hasSize(length).isNotSameAs(array);
	}

	@Test
	void array_exceedsLengthByEighthAtMost() {
		Random random = new Random(1);
		for (int i = 0; i < 20_000; i++) {
			int length = ByteArrayPool.SHORTEST + random.nextInt(1 << (13 + random.nextInt(5)));
			byte[] array = this.arrays.take(length);
			assertThat(array.length).isBetween(length, length + length / 8);
			this.arrays.give(array);
		}
	}

	@Test
	void copy_startsWithItsRange() {
		byte[] source = new byte[40_000];
		new Random(1).nextBytes(source);
		byte[] used = new byte[21_000];
		Arrays.fill(used, (byte) 7);
		this.arrays.give(used);
		byte[] copy = this.arrays.copy(source, 1000, 21_500);
		assertThat(copy).isSameAs(used);
		assertThat(Arrays.copyOf(copy, 20_500)).isEqualTo(Arrays.copyOfRange(source, 1000, 21_500));
	}

	@Test
	void arraysBeyondCapacity_areDropped() {
		for (int i = 0; i < 100; i++) {
			this.arrays.give(new byte[10_000]);
		}
		Set<byte[]> again = Collections.newSetFromMap(new IdentityHashMap<>());
		for (int i = 0; i < 100; i++) {
			again.add(this.arrays.take(10_000));
		}
		assertThat(again).hasSize(100);
	}

	/** Each thread marks what it has, and looks whether another did meanwhile. */
	@Test
	void array_isUsedByOneThreadAtATime() throws Exception {
		List<CompletableFuture<Integer>> threads = new ArrayList<>();
		for (int i = 1; i <= 4; i++) {
			byte mark = (byte) i;
			threads.add(CompletableFuture.supplyAsync(() -> {
				int foreign = 0;
				for (int round = 0; round < 20_000; round++) {
					byte[] array = this.arrays.take(9000);
					Arrays.fill(array, 0, 64, mark);
					Thread.onSpinWait();
					for (int at = 0; at < 64; at++) {
						foreign += (array[at] != mark) ? 1 : 0;
					}
					this.arrays.give(array);
				}
				return foreign;
			}));
		}
		for (CompletableFuture<Integer> each : threads) {
			assertThat(each.get(60, TimeUnit.SECONDS)).isZero();
		}
	}

}
