package io.rpcboot.internal.transport.frame;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.transport.MemoryOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import io.rpcboot.transport.SocketOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class BodyAllocatorTests {

	private static final int FRAME = 1_000_000;

	@Test
	void memoryLimit_isRejected_belowThreeFrames() {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> memory(3L * FRAME - 1, 1000))
			.withMessage("memory.limit: 2999999 (expected: 0 (a quarter of the heap) or at least 3000000 bytes, three"
					+ " times max-frame-size)")
			.satisfies((ex) -> assertThat(ex.name()).isEqualTo("memory.limit"));
		assertThat(memory(3L * FRAME, 1000).account().usable()).isPositive();
	}

	/** Whatever is set apart, and whatever stays of tables, up to a quarter of a body. */
	@ParameterizedTest
	@CsvSource({ "3000000, 1", "3000000, 20000", "3000000, 100000000", "3300000, 20000", "3999999, 20000",
			"4000000, 20000", "4000000, 1", "4400000, 20000", "5000000, 20000", "100000000, 20000" })
	void longestBody_fits_whenOtherDirectionIsFull(long limit, int calls) {
		MemoryBudget account = memory(limit, calls).account();
		assertThat(account.mostOfOne()).isGreaterThanOrEqualTo(FRAME + FRAME / 4);
		assertThat(account.tryReserve(Direction.OUTGOING, account.mostOfOne())).isTrue();
		assertThat(account.tryReserve(Direction.INCOMING, FRAME / 4)).isTrue();
		assertThat(account.tryReserve(Direction.INCOMING, FRAME)).isTrue();
	}

	/** The account, the small calls and one body over the limit: not more than asked. */
	@ParameterizedTest
	@CsvSource({ "3000000, 1", "3000000, 100000000", "4000000, 20000", "100000000, 20000", "100000000, 1" })
	void accountAndReserves_stayWithinLimit(long limit, int calls) {
		BodyAllocator memory = memory(limit, calls);
		long account = memory.account().usable();
		long rest = limit - (long) calls * memory.freeBytes();
		assertThat(account + account / 8).as("and an eighth by which it may be overdrawn").isLessThanOrEqualTo(rest);
		if (limit >= 5L * FRAME) {
			assertThat(account).as("all but a body").isEqualTo(rest - FRAME - (rest - FRAME) / 9);
		}
	}

	/** Who reads a message of a full account knows that number. */
	@Test
	void account_reportsConfiguredLimit() {
		assertThat(memory(4L * FRAME, 1000).account().limit()).isEqualTo(4L * FRAME);
	}

	@Test
	void freeBytesPerCall_areLimitedTo1KiBOrShareOfQuarter() {
		assertThat(memory(100_000_000, 1000).freeBytes()).isEqualTo(1024);
		assertThat(memory(100_000_000, 100_000).freeBytes()).isEqualTo(250);
		assertThat(memory(3_000_000, 100_000_000).freeBytes()).isZero();
	}

	@Test
	void zeroLimit_isQuarterOfHeap_unlessTooSmall() {
		long quarter = Runtime.getRuntime().maxMemory() / 4;
		BodyAllocator memory = BodyAllocator.of(MemoryOptions.defaults(), SocketOptions.defaults(), 1000, 1);
		long rest = quarter - memory.freeBytes() - 1000;
		assertThat(memory.account().usable()).isEqualTo(rest - rest / 9);
		int most = Integer.MAX_VALUE;
		assertThat(BodyAllocator.of(MemoryOptions.defaults(), SocketOptions.defaults(), most, 1).account().usable())
			.isGreaterThanOrEqualTo((Math.min(3L * most, quarter) - 1024 - most) / 9 * 8);
	}

	@Test
	void chunks_useAllocatorOfSocket() {
		assertThat(BodyAllocator.allocator(SocketOptions.Allocator.POOLED)).isSameAs(PooledByteBufAllocator.DEFAULT);
		assertThat(BodyAllocator.allocator(SocketOptions.Allocator.UNPOOLED))
			.isSameAs(UnpooledByteBufAllocator.DEFAULT);
		assertThat(BodyAllocator.allocator(SocketOptions.Allocator.ADAPTIVE))
			.isInstanceOf(AdaptiveByteBufAllocator.class);
	}

	private static BodyAllocator memory(long limit, int calls) {
		return BodyAllocator.of(MemoryOptions.defaults().withLimit(limit), SocketOptions.defaults(), FRAME, calls);
	}

}
