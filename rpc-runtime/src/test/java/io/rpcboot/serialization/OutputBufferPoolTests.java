package io.rpcboot.serialization;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@Tag("races")
class OutputBufferPoolTests {

	private final OutputBuffer.Pool pool = new OutputBuffer.Pool(1_000_000);

	@Test
	void releasedBuffer_isReusedEmpty() {
		OutputBuffer buffer = this.pool.acquire();
		buffer.reserve(10);
		buffer.position(10);
		this.pool.release(buffer);
		assertThat(this.pool.acquire()).isSameAs(buffer);
		assertThat(buffer.length()).isZero();
	}

	@Test
	void acquiredBuffers_areDistinct() {
		assertThat(this.pool.acquire()).isNotSameAs(this.pool.acquire());
	}

	@Test
	void largeBuffer_isNotReused() {
		OutputBuffer buffer = this.pool.acquire();
		buffer.reserve(100_000);
		this.pool.release(buffer);
		assertThat(this.pool.acquire()).isNotSameAs(buffer);
	}

	@Test
	void release_resetsOverflow() {
		OutputBuffer buffer = this.pool.acquire();
		AtomicInteger taken = new AtomicInteger();
		buffer.overflow((source, offset, length) -> taken.addAndGet(length));
		buffer.write(new byte[200_000], 0, 200_000);
		buffer.write(new byte[10], 0, 10);
		assertThat(buffer.reserve(100_000)).hasSize(100_000);
		buffer.position(100_000);
		this.pool.release(buffer);
		assertThat(this.pool.acquire()).as("with its window again").isSameAs(buffer);
		assertThat(buffer.array()).hasSize(1024);
		assertThat(buffer.position()).isZero();
		assertThat(buffer.length()).isZero();
		assertThat(buffer.hasOverflowed()).isFalse();
		buffer.write(new byte[300_000], 0, 300_000);
		assertThat(buffer.toByteArray()).hasSize(300_000);
		assertThat(taken).hasValue(200_010);
	}

	@Test
	void buffer_enforcesPoolLimit() {
		OutputBuffer buffer = this.pool.acquire();
		buffer.reserve(1_000_000);
		buffer.position(1_000_000);
		assertThat(buffer.toByteArray()).hasSize(1_000_000);
		assertThatExceptionOfType(MessageTooLargeException.class).isThrownBy(() -> buffer.reserve(1))
			.satisfies((ex) -> assertThat(ex.limit()).isEqualTo(1_000_000));
		assertThatExceptionOfType(MessageTooLargeException.class).isThrownBy(() -> buffer.reserve(Integer.MAX_VALUE));
		assertThatExceptionOfType(MessageTooLargeException.class).isThrownBy(() -> buffer.position(1_000_001));
	}

	@Test
	void buffer_keepsContent_whenItGrows() {
		OutputBuffer buffer = new OutputBuffer(new byte[1], 100);
		for (int i = 0; i < 100; i++) {
			buffer.reserve(1)[i] = (byte) i;
			buffer.position(i + 1);
		}
		for (int i = 0; i < 100; i++) {
			assertThat(buffer.array()[i]).isEqualTo((byte) i);
		}
		assertThat(buffer.array()).hasSizeLessThanOrEqualTo(100);
	}

	@Test
	void buffer_hasOneOwner_withManyThreads() throws InterruptedException {
		Set<OutputBuffer> owned = Collections.synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));
		AtomicInteger shared = new AtomicInteger();
		List<Thread> threads = new ArrayList<>();
		for (int t = 0; t < 130; t++) {
			threads.add(new Thread(() -> {
				for (int i = 0; i < 300; i++) {
					OutputBuffer buffer = this.pool.acquire();
					if (!owned.add(buffer)) {
						shared.incrementAndGet();
					}
					owned.remove(buffer);
					this.pool.release(buffer);
				}
			}));
		}
		threads.forEach(Thread::start);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(shared).hasValue(0);
	}

}
