package io.rpcboot.internal.transport.frame;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;

import io.netty.buffer.ByteBuf;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.transport.fixture.CountedAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the content of large bodies and their bytes in the account while there is memory.
 */
@Timeout(60)
class ChunkedBodyTests {

	private static final int KIB = 1024;

	private static final long LIMIT = 16 * KIB * KIB;

	private static final IntConsumer NOBODY = (length) -> {
	};

	private final MemoryBudget account = new MemoryBudget(LIMIT, 0);

	private final CountedAllocator allocator = new CountedAllocator(this.account);

	private final BodyAllocator memory = new BodyAllocator(this.account, this.allocator, 0);

	@AfterEach
	void nothingIsLeft() {
		assertThat(this.allocator.used()).isZero();
		assertThat(this.account.used(Direction.OUTGOING)).isZero();
		assertThat(this.account.used(Direction.INCOMING)).isZero();
		assertThat(this.account.privilege().compareAndSet(false, true)).as("nobody has kept the privilege").isTrue();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 100, 8 * KIB - 1, 8 * KIB, 8 * KIB + 1, 64 * KIB - 1, 64 * KIB, 64 * KIB + 1,
			256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 512 * KIB, 1000 * 1000, 8 * KIB * KIB - 16 })
	void body_holdsBytesWrittenAtOnce(int size) {
		assertHolds(size, (rest) -> rest);
	}

	/** As a serializer hands its window over, with a rest that has any length. */
	@ParameterizedTest
	@ValueSource(ints = { 64 * KIB + 1, 128 * KIB - 1, 128 * KIB, 320 * KIB, 320 * KIB + 7, 3 * KIB * KIB + 1 })
	void body_holdsBytesWrittenInWindows(int size) {
		assertHolds(size, (rest) -> Math.min(rest, 64 * KIB));
	}

	@ParameterizedTest
	@ValueSource(ints = { 8 * KIB - 1, 8 * KIB, 8 * KIB + 1, 16 * KIB + 1 })
	void body_holdsBytesWrittenByteByByte(int size) {
		assertHolds(size, (rest) -> 1);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void body_holdsBytesWrittenInRandomPieces(long seed) {
		Random random = new Random(seed);
		int most = 1 << (4 + random.nextInt(16));
		assertHolds(1 + random.nextInt(2 * KIB * KIB), (rest) -> 1 + random.nextInt(Math.min(rest, most)));
	}

	private void assertHolds(int size, IntUnaryOperator pieces) {
		byte[] written = randomBytes(size);
		ChunkedBody body = body(0, NOBODY);
		for (int at = 0; at < size;) {
			int count = pieces.applyAsInt(size - at);
			body.write(written, at, count);
			at += count;
		}
		body.complete();
		assertThat(Arrays.equals(bytes(body), written)).as("the bytes of the chunks").isTrue();
		assertThat(this.allocator.mostUnknown()).as("bytes that were allocated before they were entered")
			.isLessThanOrEqualTo(ChunkedBody.HEADER_ROOM);
		assertThat(this.account.used(Direction.OUTGOING)).as("what is entered is what is allocated")
			.isEqualTo(this.allocator.used() - ChunkedBody.HEADER_ROOM);
		assertThat(this.allocator.used() - ChunkedBody.HEADER_ROOM - size).as("bytes in vain").isBetween(0L, 8L * KIB);
		body.release();
	}

	@Test
	void body_holdsRangeOfLargerArray() {
		byte[] source = randomBytes(100 * KIB);
		ChunkedBody body = body(0, NOBODY);
		body.write(source, 1, 70 * KIB);
		body.write(source, 99 * KIB, 0);
		body.write(source, 99 * KIB, KIB);
		body.complete();
		ByteArrayOutputStream expected = new ByteArrayOutputStream();
		expected.write(source, 1, 70 * KIB);
		expected.write(source, 99 * KIB, KIB);
		assertThat(bytes(body)).isEqualTo(expected.toByteArray());
		body.release();
	}

	@Test
	void bytes_areCopied() {
		byte[] source = randomBytes(20 * KIB);
		byte[] before = source.clone();
		ChunkedBody body = body(0, NOBODY);
		body.write(source, 0, source.length);
		Arrays.fill(source, (byte) 0);
		assertThat(bytes(body)).isEqualTo(before);
		body.release();
	}

	@Test
	void length_isReported_beforeMemoryIsReserved() {
		List<Integer> lengths = new ArrayList<>();
		List<Long> entered = new ArrayList<>();
		ChunkedBody body = body(0, (length) -> {
			lengths.add(length);
			entered.add(this.account.used(Direction.OUTGOING));
		});
		byte[] source = new byte[100 * KIB];
		body.write(source, 0, 100 * KIB);
		body.write(source, 0, 30 * KIB);
		assertThat(lengths).containsExactly(100 * KIB, 130 * KIB);
		assertThat(entered).containsExactly(0L, 100L * KIB);
		body.release();
	}

	@Test
	void reservedMemory_isUsedFirst() {
		reserve(300 * KIB);
		ChunkedBody body = body(300 * KIB, NOBODY);
		body.write(new byte[256 * KIB], 0, 256 * KIB);
		assertThat(this.account.used(Direction.OUTGOING)).as("nothing more is entered").isEqualTo(300 * KIB);
		body.write(new byte[100 * KIB], 0, 100 * KIB);
		assertThat(this.account.used(Direction.OUTGOING)).as("only what is missing is").isEqualTo(356 * KIB);
		assertThat(this.allocator.mostUnknown()).isLessThanOrEqualTo(ChunkedBody.HEADER_ROOM);
		body.complete();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(356 * KIB);
		body.release();
	}

	@Test
	void unusedReservation_isReleasedOnce_onCompletion() {
		reserve(1000 * KIB);
		ChunkedBody body = body(1000 * KIB, NOBODY);
		body.write(new byte[100 * KIB], 0, 100 * KIB);
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(1000 * KIB);
		body.complete();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(100 * KIB);
		body.complete();
		assertThat(this.account.used(Direction.OUTGOING)).as("twice does nothing").isEqualTo(100 * KIB);
		body.release();
	}

	@Test
	void unusedReservation_isReleased_withoutCompletion() {
		reserve(1000 * KIB);
		ChunkedBody body = body(1000 * KIB, NOBODY);
		body.write(new byte[100 * KIB], 0, 100 * KIB);
		body.release();
		reserve(500 * KIB);
		body(500 * KIB, NOBODY).release();
	}

	@Test
	void account_isReleased_afterBuffers() {
		ChunkedBody body = body(0, NOBODY);
		byte[] source = new byte[(int) this.account.mostOfOne()];
		body.write(source, 0, source.length);
		body.complete();
		List<Long> stillAllocated = new ArrayList<>();
		this.account.reserveInTurn(Direction.OUTGOING, 1, () -> stillAllocated.add(this.allocator.used()));
		assertThat(stillAllocated).as("it is full").isEmpty();
		body.release();
		assertThat(stillAllocated).containsExactly(0L);
		this.account.release(Direction.OUTGOING, 1);
	}

	@Test
	void lastOwner_releasesBody() {
		ChunkedBody body = completed(100 * KIB);
		assertThat(body.retain()).isTrue();
		assertThat(body.retain()).isTrue();
		body.release();
		body.release();
		assertThat(this.allocator.used()).isEqualTo(ChunkedBody.HEADER_ROOM + 100 * KIB);
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(100 * KIB);
		assertThat(bytes(body)).hasSize(100 * KIB);
		body.release();
		assertThat(this.allocator.used()).isZero();
		assertThat(this.account.used(Direction.OUTGOING)).isZero();
	}

	@Test
	void releasedBody_cannotBeRetained() {
		ChunkedBody body = completed(100 * KIB);
		body.release();
		for (int i = 0; i < 3; i++) {
			assertThat(body.retain()).isFalse();
		}
	}

	@Test
	void pendingWrite_keepsChunks_afterRelease() {
		ChunkedBody body = completed(300 * KIB);
		List<ByteBuf> written = body.chunks().stream().map(ByteBuf::retainedDuplicate).toList();
		body.release();
		assertThat(written).allMatch((chunk) -> chunk.refCnt() == 1);
		written.forEach(ByteBuf::release);
	}

	/** Of a thread that gives up and the event loop that writes, one is the last. */
	@Test
	void concurrentOwners_releaseBodyOnce() throws Exception {
		int rounds = 300;
		int threads = 4;
		AtomicInteger revived = new AtomicInteger();
		AtomicInteger readFreed = new AtomicInteger();
		for (int round = 0; round < rounds; round++) {
			ChunkedBody body = completed(9 * KIB);
			CountDownLatch start = new CountDownLatch(1);
			List<CompletableFuture<Void>> owners = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				owners.add(CompletableFuture.runAsync(() -> {
					awaitQuietly(start);
					for (int j = 0; j < 50 && body.retain(); j++) {
						if (body.chunks().get(0).refCnt() == 0) {
							readFreed.incrementAndGet();
						}
						body.release();
					}
				}));
			}
			start.countDown();
			body.release();
			for (CompletableFuture<Void> owner : owners) {
				owner.get(20, TimeUnit.SECONDS);
			}
			revived.addAndGet(body.retain() ? 1 : 0);
			assertThat(this.allocator.used()).as("round %d", round).isZero();
			assertThat(this.account.used(Direction.OUTGOING)).as("round %d", round).isZero();
		}
		assertThat(revived).hasValue(0);
		assertThat(readFreed).as("an owner saw freed memory").hasValue(0);
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private ChunkedBody completed(int size) {
		ChunkedBody body = body(0, NOBODY);
		body.write(new byte[size], 0, size);
		body.complete();
		return body;
	}

	private ChunkedBody body(long reserved, IntConsumer progress) {
		return new ChunkedBody(this.memory, System.nanoTime(), 0, reserved, progress);
	}

	private void reserve(long bytes) {
		assertThat(this.account.tryReserve(Direction.OUTGOING, bytes)).isTrue();
	}

	private static byte[] randomBytes(int size) {
		byte[] bytes = new byte[size];
		new Random(size).nextBytes(bytes);
		return bytes;
	}

	private static byte[] bytes(ChunkedBody body) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (ByteBuf chunk : body.chunks()) {
			byte[] part = new byte[chunk.readableBytes()];
			chunk.getBytes(chunk.readerIndex(), part);
			all.writeBytes(part);
		}
		return all.toByteArray();
	}

}
