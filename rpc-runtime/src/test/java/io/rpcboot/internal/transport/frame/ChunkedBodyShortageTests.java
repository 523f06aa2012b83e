package io.rpcboot.internal.transport.frame;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.MemoryShortageException;
import io.rpcboot.internal.transport.fixture.CountedAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests large bodies when the account has no memory for them. */
@Timeout(60)
class ChunkedBodyShortageTests {

	private static final int KIB = 1024;

	private static final int MIB = 1024 * KIB;

	private static final long LIMIT = 4 * MIB;

	private static final int PIECE = 64 * KIB;

	private final MemoryBudget account = new MemoryBudget(LIMIT, 0);

	private final CountedAllocator allocator = new CountedAllocator(this.account);

	private final BodyAllocator memory = new BodyAllocator(this.account, this.allocator, 0);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	@AfterEach
	void nothingIsLeft() {
		this.threads.shutdownNow();
		assertThat(this.allocator.used()).isZero();
		assertThat(this.account.used(Direction.OUTGOING)).isZero();
		assertThat(this.account.isShort()).isFalse();
		assertThat(this.account.privilege().compareAndSet(false, true)).as("nobody has kept the privilege").isTrue();
	}

	@Test
	void body_fails_whenDeadlineIsOver() {
		fill(0);
		ChunkedBody body = body(System.nanoTime(), 0);
		assertThatExceptionOfType(MemoryShortageException.class).isThrownBy(() -> write(body, PIECE))
			.withMessage("memory.limit: all of its 4194304 bytes are in use")
			.satisfies((shortage) -> {
				assertThat(shortage.isInterrupted()).isFalse();
				assertThat(body.shortage()).isSameAs(shortage);
			});
		assertThat(this.allocator.used()).as("nothing was allocated").isZero();
		body.release();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(this.account.mostOfOne());
		free(0);
	}

	@Test
	void body_waits_untilDeadline() {
		fill(0);
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(30);
		ChunkedBody body = body(deadline, 0);
		assertThatExceptionOfType(MemoryShortageException.class).isThrownBy(() -> write(body, PIECE));
		assertThat(System.nanoTime() - deadline).as("nanoseconds after the deadline").isNotNegative();
		body.release();
		free(0);
	}

	@Test
	void body_continues_whenMemoryIsReleased() throws Exception {
		fill(0);
		ChunkedBody body = body(inAnHour(), 0);
		CompletableFuture<Void> written = CompletableFuture.runAsync(() -> write(body, PIECE), this.threads);
		awaitShort();
		assertThat(this.allocator.used()).as("it waits before it allocates").isZero();
		this.account.release(Direction.OUTGOING, PIECE);
		written.get(20, TimeUnit.SECONDS);
		assertThat(body.shortage()).isNull();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(this.account.mostOfOne());
		body.complete();
		body.release();
		free(PIECE);
	}

	@Test
	void interrupt_endsWaitAndFlagIsKept() throws Exception {
		fill(0);
		ChunkedBody body = body(inAnHour(), 0);
		CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
		Thread thread = new Thread(() -> {
			try {
				write(body, PIECE);
			}
			catch (MemoryShortageException ex) {
				interrupted.complete(ex.isInterrupted() && Thread.currentThread().isInterrupted());
			}
		});
		thread.start();
		awaitShort();
		thread.interrupt();
		assertThat(interrupted.get(20, TimeUnit.SECONDS)).isTrue();
		assertThat(body.shortage()).isNotNull();
		assertThat(this.account.isShort()).as("it waits no more").isFalse();
		body.release();
		free(0);
	}

	@Test
	void nonWaitingThread_overdrawsAccount() {
		fill(0);
		ChunkedBody body = body(System.nanoTime(), Integer.MAX_VALUE);
		write(body, 2 * MIB);
		body.complete();
		assertThat(this.account.isOverdrawn()).isTrue();
		assertThat(this.allocator.used()).isEqualTo(ChunkedBody.HEADER_ROOM + 2 * MIB);
		assertThat(body.shortage()).isNull();
		body.release();
		assertThat(this.account.isOverdrawn()).isFalse();
		free(0);
	}

	@Test
	void failedBody_releasesAllMemory() {
		fill(PIECE);
		assertThat(this.account.privilege().compareAndSet(false, true)).as("another has it").isTrue();
		ChunkedBody body = body(System.nanoTime(), 0);
		write(body, PIECE);
		assertThatExceptionOfType(MemoryShortageException.class).isThrownBy(() -> write(body, PIECE));
		assertThat(this.allocator.used()).isEqualTo(ChunkedBody.HEADER_ROOM + PIECE);
		body.release();
		assertThat(this.allocator.used()).isZero();
		assertThat(this.account.privilege().compareAndSet(false, true)).as("it did not give back what it never had")
			.isFalse();
		this.account.privilege().set(false);
		free(PIECE);
	}

	@Test
	void bodyWithMemory_continuesOverLimit_untilReleased() {
		fill(PIECE);
		ChunkedBody body = body(System.nanoTime(), 0);
		for (int i = 0; i < 20; i++) {
			write(body, PIECE);
		}
		assertThat(this.allocator.used()).isEqualTo(ChunkedBody.HEADER_ROOM + 20 * PIECE);
		assertThat(this.allocator.mostUnknown()).isLessThanOrEqualTo(ChunkedBody.HEADER_ROOM);
		assertThat(this.account.privilege().compareAndSet(false, true)).as("one at a time").isFalse();
		body.complete();
		assertThat(this.account.privilege().compareAndSet(false, true)).as("it is still over the limit").isFalse();
		body.release();
		assertThat(this.account.privilege().compareAndSet(false, true)).isTrue();
		this.account.privilege().set(false);
		free(PIECE);
	}

	@Test
	void droppedBody_releasesPrivilege() {
		fill(PIECE);
		ChunkedBody body = body(System.nanoTime(), 0);
		write(body, PIECE);
		write(body, PIECE);
		assertThat(this.account.privilege().compareAndSet(false, true)).isFalse();
		body.release();
		assertThat(this.account.privilege().compareAndSet(false, true)).isTrue();
		this.account.privilege().set(false);
		free(PIECE);
	}

	@Test
	void bodyWithoutMemory_getsNoPrivilege() {
		fill(0);
		ChunkedBody body = body(System.nanoTime(), 0);
		assertThatExceptionOfType(MemoryShortageException.class).isThrownBy(() -> write(body, PIECE));
		assertThat(this.account.privilege().compareAndSet(false, true)).isTrue();
		this.account.privilege().set(false);
		body.release();
		free(0);
	}

	private void awaitShort() {
		Eventually.until("the account is short", this.account::isShort);
	}

	private static long inAnHour() {
		return System.nanoTime() + TimeUnit.HOURS.toNanos(1);
	}

	/** A thread of a pool would be missing elsewhere. */
	@Test
	void shortBody_overdrawsAccount_whenAllowed() {
		fill(0);
		ChunkedBody body = body(System.nanoTime(), 64 * 1024);
		write(body, 60 * 1024);
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(this.account.mostOfOne() + 60 * 1024);
		this.account.privilege().set(true);
		assertThatExceptionOfType(MemoryShortageException.class).as("a longer one waits")
			.isThrownBy(() -> write(body, 8 * 1024));
		this.account.privilege().set(false);
		body.release();
		assertThat(this.account.used(Direction.OUTGOING)).isEqualTo(this.account.mostOfOne());
		free(0);
	}

	/** Use the account up, but for a part. */
	private void fill(long but) {
		assertThat(this.account.tryReserve(Direction.OUTGOING, this.account.mostOfOne() - but)).isTrue();
	}

	private void free(long but) {
		this.account.release(Direction.OUTGOING, this.account.mostOfOne() - but);
	}

	private ChunkedBody body(long deadlineNanos, int overdraft) {
		return new ChunkedBody(this.memory, deadlineNanos, overdraft, 0, (length) -> {
		});
	}

	private static void write(ChunkedBody body, int size) {
		body.write(new byte[size], 0, size);
	}

}
