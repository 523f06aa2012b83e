package io.rpcboot.internal.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** However one direction is used, the largest body of the other has room. */
@Timeout(60)
class MemoryBudgetRoomTests {

	private static final int STEPS = 2000;

	static LongStream seeds() {
		return LongStream.range(0, 200);
	}

	private static Direction other(Direction direction) {
		return (direction == Direction.INCOMING) ? Direction.OUTGOING : Direction.INCOMING;
	}

	/** Accounts of two to ten largest bodies, used at random. */
	@ParameterizedTest
	@MethodSource("seeds")
	void largestBody_fits_whenOtherDirectionIsFull(long seed) {
		Random random = new Random(seed);
		long largest = 1 + random.nextInt(100_000);
		long limit = 2 * largest + (random.nextBoolean() ? 0 : random.nextInt((int) (8 * largest)));
		for (Direction direction : Direction.values()) {
			MemoryBudget account = new MemoryBudget(limit, largest);
			Use use = new Use(account, largest, random);
			for (int step = 0; step < STEPS; step++) {
				use.step();
				assertThat(account.used(Direction.INCOMING) + account.used(Direction.OUTGOING))
					.as("seed %d, step %d", seed, step)
					.isLessThanOrEqualTo(limit);
			}
			use.fill(direction);
			use.releaseAll(other(direction));
			assertThat(account.tryReserve(other(direction), largest))
				.as("seed %d: %d of %d bytes are %s, and a body of %d", seed, account.used(direction), limit, direction,
						largest)
				.isTrue();
		}
	}

	/**
	 * One body may be completed over the limit; the replies of all must fit meanwhile.
	 */
	@ParameterizedTest
	@MethodSource("seeds")
	void largestBody_fits_whenOtherDirectionIsOverdrawnByOneBody(long seed) {
		Random random = new Random(seed);
		long largest = 1 + random.nextInt(100_000);
		long limit = 2 * largest + random.nextInt((int) (8 * largest));
		for (Direction direction : Direction.values()) {
			MemoryBudget account = new MemoryBudget(limit, largest);
			new Use(account, largest, random).fill(direction);
			account.overdraw(direction, largest);
			assertThat(account.tryReserve(direction, 1)).isFalse();
			assertThat(account.tryReserve(other(direction), largest)).as("seed %d", seed).isTrue();
			assertThat(account.used(Direction.INCOMING) + account.used(Direction.OUTGOING))
				.as("over the limit by that body alone")
				.isLessThanOrEqualTo(limit + largest);
		}
	}

	@Test
	void largestBody_fits_afterGrantsAheadAndFullOtherDirection() {
		for (long limit = 200; limit < 1000; limit++) {
			MemoryBudget account = new MemoryBudget(limit, 100);
			account.reserveAhead(limit);
			new Use(account, 100, new Random(limit)).fill(Direction.OUTGOING);
			assertThat(account.tryReserveAtOnce(Direction.INCOMING, 100)).as("limit %d", limit).isTrue();
		}
	}

	/** The other side asked for more while it had a body here that goes meanwhile. */
	@Test
	void waitingNeed_isMet_afterOwnBodyIsReleased() {
		MemoryBudget account = new MemoryBudget(310_000, 100_000);
		int[] admitted = new int[1];
		ReceiveWindow grant = new ReceiveWindow(account, 1 << 20, () -> admitted[0]++);
		grant.open();
		grant.need(100_000);
		assertThat(admitted[0] == 1 && grant.admit()).isTrue();
		assertThat(grant.takes(100_000)).isTrue();
		new Use(account, 100_000, new Random(1)).fill(Direction.OUTGOING);
		grant.need(100_000);
		assertThat(admitted[0]).as("the body is still here").isEqualTo(1);
		if (grant.release(100_000)) {
			grant.raise();
		}
		assertThat(admitted[0]).isEqualTo(2);
		assertThat(grant.admit()).isTrue();
		assertThat(grant.covers(100_000)).isTrue();
	}

	@Test
	void farOverdraft_reducesOtherDirection() {
		MemoryBudget account = new MemoryBudget(1000, 100);
		account.overdraw(Direction.OUTGOING, 1100);
		assertThat(account.tryReserveAtOnce(Direction.INCOMING, 26)).isFalse();
		assertThat(account.tryReserveAtOnce(Direction.INCOMING, 25)).as("an eighth over the limit in all").isTrue();
	}

	/** Neither takes the other's part when both come at the same time. */
	@Test
	void concurrentReservations_stayWithinLimit() throws Exception {
		MemoryBudget account = new MemoryBudget(1000, 100);
		List<CompletableFuture<Integer>> all = new ArrayList<>();
		for (Direction direction : Direction.values()) {
			all.add(CompletableFuture.supplyAsync(() -> reserveAndRelease(account, direction)));
		}
		int entered = 0;
		for (CompletableFuture<Integer> each : all) {
			entered += each.get(30, TimeUnit.SECONDS);
		}
		assertThat(entered).isPositive();
		assertThat(account.used(Direction.INCOMING) + account.used(Direction.OUTGOING)).isZero();
	}

	private static int reserveAndRelease(MemoryBudget account, Direction direction) {
		int entered = 0;
		for (int i = 0; i < 100_000; i++) {
			if (account.tryReserve(direction, 700)) {
				entered++;
				if (account.tryReserve(other(direction), 301)) {
					throw new AssertionError("1,001 of 1,000 bytes");
				}
				account.release(direction, 700);
			}
		}
		return entered;
	}

	/** What was entered, to be released in any order. */
	private static final class Use {

		private final MemoryBudget account;

		private final long largest;

		private final Random random;

		private final Map<Direction, Deque<Long>> entered = new EnumMap<>(Direction.class);

		Use(MemoryBudget account, long largest, Random random) {
			this.account = account;
			this.largest = largest;
			this.random = random;
			List.of(Direction.values()).forEach((direction) -> this.entered.put(direction, new ArrayDeque<>()));
		}

		void step() {
			Direction direction = Direction.values()[this.random.nextInt(2)];
			Deque<Long> own = this.entered.get(direction);
			if (this.random.nextInt(3) > 0) {
				enter(direction, 1 + (long) (this.random.nextDouble() * (this.largest - 1)));
			}
			else if (!own.isEmpty()) {
				this.account.release(direction, this.random.nextBoolean() ? own.removeFirst() : own.removeLast());
			}
		}

		private boolean enter(Direction direction, long bytes) {
			boolean fits = this.account.tryReserve(direction, bytes);
			if (fits) {
				this.entered.get(direction).add(bytes);
			}
			return fits;
		}

		/** To the last byte. */
		void fill(Direction direction) {
			for (long bytes = this.largest; bytes > 0;) {
				bytes = enter(direction, bytes) ? bytes : bytes / 2;
			}
		}

		void releaseAll(Direction direction) {
			this.entered.get(direction).forEach((bytes) -> this.account.release(direction, bytes));
			this.entered.get(direction).clear();
		}

	}

}
