package io.rpcboot.internal.client.limits;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.fixture.TimedCalls;
import io.rpcboot.internal.client.limits.ReservedPermits.ReferencePermits;
import io.rpcboot.transport.LimitInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** Tests the number of permits when calls end late. */
@Tag("races")
class AdaptiveConcurrencyLimitTests {

	private static final int MAX = 10_000;

	private final TimedCalls calls = new TimedCalls();

	private final AdaptiveConcurrencyLimit limit = this.calls.limit(MAX, OverflowPolicy.FAIL);

	/** Of a reference that is alone. */
	private final ReferencePermits share = new ReservedPermits(MAX).newShare();

	private ClientCall begins() {
		this.calls.pass(1);
		assertThat(this.limit.room.tryAcquire()).isTrue();
		return this.calls.begins();
	}

	/** A call begins, and many others, and its end is late. */
	private ClientCall endsLate(int others, long lateMillis) {
		ClientCall call = begins();
		assertThat(this.limit.room.tryAcquire(others)).isTrue();
		this.calls.endsLate(this.limit, call, lateMillis);
		return call;
	}

	private void allEnd() {
		this.limit.leave(this.limit.pending());
		assertThat(this.limit.pending()).isZero();
	}

	@Test
	void timelyCalls_leaveLimitUnchanged() {
		endsLate(MAX - 1, 50);
		assertThat(this.limit.isReduced()).isFalse();
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void lateCalls_reduceLimit() {
		ClientCall late = endsLate(MAX - 1, 100);
		assertThat(this.limit.most()).as("four fifths of those that ended in time").isEqualTo(4000);
		assertThat(this.limit.pending()).isEqualTo(MAX);
		assertThat(this.limit.isFull(1)).isTrue();
		this.calls.pass(500);
		this.limit.failed(late.startNanos, late.deadlineNanos());
		assertThat(this.limit.most()).as("others that began before say nothing").isEqualTo(4000);
		this.limit.leave(MAX - 4000);
		assertThat(this.limit.room.tryAcquire()).as("as many as may be are under way").isFalse();
		this.limit.leave(1);
		assertThat(this.limit.room.tryAcquire()).isTrue();
	}

	@Test
	void limit_shrinksAgain_whenNewerCallsAreLate() {
		endsLate(MAX - 1, 60_000);
		assertThat(this.limit.most()).as("a quarter at least").isEqualTo(MAX / 4);
		allEnd();
		endsLate(MAX / 4 - 1, 100);
		assertThat(this.limit.most()).as("a few are always allowed").isEqualTo(1024);
		allEnd();
		endsLate(1023, 60_000);
		assertThat(this.limit.most()).isEqualTo(1024);
	}

	@Test
	void replies_raiseReducedLimit() {
		endsLate(MAX - 1, 100);
		allEnd();
		this.calls.answers(this.limit, 800);
		assertThat(this.limit.most()).isEqualTo(4100);
		this.calls.pass(10_000);
		this.calls.answers(this.limit, 5900);
		assertThat(this.limit.most()).isEqualTo(MAX);
		assertThat(this.limit.isReduced()).isFalse();
		assertThat(this.limit.room.availablePermits()).as("the last one is free").isOne();
	}

	@Test
	void eachReply_raisesLimit_afterSecondsWithoutLateCall() {
		endsLate(MAX - 1, 100);
		allEnd();
		this.calls.pass(10_000);
		this.calls.answers(this.limit, 1000);
		assertThat(this.limit.most()).isEqualTo(5000);
	}

	@Test
	void replies_keepLimit_whileCallsWaitForConnection() {
		endsLate(MAX - 1, 100);
		allEnd();
		this.limit.room.drainPermits();
		this.calls.pass(10_000);
		this.limit.answered(this.calls.begins().startNanos, 1);
		this.limit.answered(this.calls.begins().startNanos, 256);
		assertThat(this.limit.most()).isEqualTo(4000);
		this.limit.answered(this.calls.begins().startNanos, 0);
		assertThat(this.limit.most()).isEqualTo(4001);
	}

	@Test
	void replies_reduceLimitToInitialValue_whileManyCallsWaitForConnection() {
		endsLate(MAX - 1, 100);
		this.limit.answered(this.calls.begins().startNanos, 257);
		assertThat(this.limit.most()).isEqualTo(3999);
		this.limit.leave(MAX - 3999);
		assertThat(this.limit.room.tryAcquire()).as("no other one begins in its place").isFalse();
		for (int i = 0; i < MAX; i++) {
			this.limit.answered(this.calls.begins().startNanos, 5000);
		}
		assertThat(this.limit.most()).isEqualTo(1024);
	}

	@Test
	void unreducedLimit_isKept_whileManyCallsWaitForConnection() {
		this.limit.answered(begins().startNanos, 5000);
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void unadmittedCall_leavesLimitUnchanged_whenItFails() {
		ClientCall call = begins();
		this.calls.pass(60_000);
		this.calls.fails(this.limit, call, false);
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void singleReference_usesWholeLimit() {
		ReferencePermits alone = this.limit.newShare();
		assertThat(alone.onAdmitted()).as("nobody asks").isFalse();
		assertThat(this.limit.room.tryAcquire(MAX)).isTrue();
		assertThat(this.limit.tryAcquireReserved(false, alone)).isFalse();
		assertThat(this.limit.tryAcquireReserved(true, alone)).isFalse();
		assertThat(this.limit.isReduced()).isFalse();
	}

	@Test
	void reservedPermits_admitReferencesWithFewCalls_whenLimitIsFull() {
		ReferencePermits greedy = this.limit.newShare();
		ReferencePermits modest = this.limit.newShare();
		assertThat(this.limit.most()).isEqualTo(MAX - 1024);
		assertThat(this.limit.room.tryAcquire(MAX - 1024)).isTrue();
		for (int i = 0; i < MAX - 1024; i++) {
			assertThat(greedy.onAdmitted()).isTrue();
		}
		assertThat(this.limit.isFull(1)).isTrue();
		assertThat(this.limit.isReduced()).as("it is no sign of late calls").isFalse();
		assertThat(this.limit.tryAcquireReserved(false, greedy)).isFalse();
		for (int i = 0; i < 256; i++) {
			assertThat(this.limit.tryAcquireReserved(false, modest)).isTrue();
			assertThat(modest.onAdmitted()).isTrue();
		}
		assertThat(this.limit.tryAcquireReserved(false, modest)).as("they are not few any more").isFalse();
		assertThat(this.limit.pending()).isEqualTo(MAX - 1024 + 256);
		for (int i = 0; i < 1024 - 256; i++) {
			assertThat(this.limit.tryAcquireReserved(true, greedy)).as("a blocking call").isTrue();
		}
		assertThat(this.limit.tryAcquireReserved(true, modest)).isFalse();
		assertThat(this.limit.pending()).isEqualTo(MAX);
	}

	@Test
	void endingCalls_refillReservedPermitsFirst() throws Exception {
		this.limit.newShare();
		ReferencePermits share = this.limit.newShare();
		assertThat(this.limit.room.tryAcquire(MAX - 1024)).isTrue();
		for (int i = 0; i < 1024; i++) {
			assertThat(this.limit.acquire(true, share, 1, () -> true)).isTrue();
		}
		assertThat(this.limit.acquire(true, share, 1, () -> true)).isFalse();
		assertThat(this.limit.isFull(1)).as("somebody may wait for who leaves").isTrue();
		this.limit.leave(1);
		assertThat(this.limit.isFull(1)).as("who leaves next fills the kept room, which has some").isFalse();
		assertThat(this.limit.room.availablePermits()).isZero();
		assertThat(this.limit.acquire(true, share, 1, () -> true)).isTrue();
		assertThat(this.limit.acquire(true, share, 1, () -> true)).isFalse();
		this.limit.room.release();
		assertThat(this.limit.acquire(true, share, 1, () -> true)).as("by the room of all, which there is").isTrue();
		this.limit.leave(1030);
		assertThat(this.limit.kept.taken()).isZero();
		assertThat(this.limit.room.availablePermits()).isEqualTo(6);
		assertThat(this.limit.pending()).isEqualTo(MAX - 1030);
	}

	/** Calls of a reference that hangs wait; each answer of another one woke them. */
	@Test
	void refilledReserve_wakesNoThread_whenItsReferenceExceedsQuota() throws Exception {
		ReferencePermits hanging = this.limit.newShare();
		ReferencePermits prompt = this.limit.newShare();
		assertThat(this.limit.room.tryAcquire(MAX - 1024)).isTrue();
		while (hanging.belowQuota()) {
			hanging.onAdmitted();
		}
		Thread waiting = new Thread(() -> enterUntilInterrupted(hanging));
		waiting.start();
		Eventually.until("it waits for room", () -> this.limit.room.hasQueuedThreads());
		long before = waits(waiting);
		for (int i = 0; i < 100_000; i++) {
			assertThat(this.limit.tryAcquireReserved(false, prompt)).isTrue();
			this.limit.leave(1);
		}
		assertThat(waits(waiting) - before).as("once for each 20 ms").isLessThan(100);
		waiting.interrupt();
		waiting.join();
	}

	private void enterUntilInterrupted(ReferencePermits share) {
		try {
			assertThat(this.limit.acquire(false, share, Long.MAX_VALUE / 2, () -> true)).isFalse();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static long waits(Thread thread) {
		return ManagementFactory.getThreadMXBean().getThreadInfo(thread.getId()).getWaitedCount();
	}

	/** A callback on the event loop may make a call for each answer of one read. */
	@Test
	void endingCalls_freeSharedPermits_afterReserveIsRefilled() {
		this.limit.newShare();
		ReferencePermits greedy = this.limit.newShare();
		assertThat(this.limit.room.tryAcquire(MAX - 1024)).isTrue();
		assertThat(this.limit.tryAcquireReserved(true, greedy)).isTrue();
		assertThat(this.limit.isFull(1)).as("the first one fills the kept room").isFalse();
		assertThat(this.limit.isFull(2)).as("the second one makes room").isTrue();
		this.limit.leave(2);
		assertThat(this.limit.room.tryAcquire()).isTrue();
		assertThat(this.limit.isFull(1)).as("nobody is in the kept room").isTrue();
	}

	@Test
	void smallLimit_reservesQuarterOfItsPermits() {
		AdaptiveConcurrencyLimit small = this.calls.limit(4, OverflowPolicy.FAIL);
		small.newShare();
		ReferencePermits share = small.newShare();
		assertThat(small.room.tryAcquire(3)).isTrue();
		assertThat(small.isFull(1)).isTrue();
		assertThat(small.tryAcquireReserved(false, share)).isTrue();
		assertThat(share.onAdmitted()).isTrue();
		assertThat(small.tryAcquireReserved(false, share)).isFalse();
		AdaptiveConcurrencyLimit least = this.calls.limit(1, OverflowPolicy.FAIL);
		least.newShare();
		ReferencePermits none = least.newShare();
		assertThat(least.room.tryAcquire()).as("there is nothing to keep").isTrue();
		assertThat(least.tryAcquireReserved(true, none)).isFalse();
	}

	@Test
	void description_hasSignalAndLastMove() {
		LimitInfo before = this.limit.describe();
		assertThat(before).isEqualTo(new LimitInfo("pending-calls", "", null, MAX, 0, "", "", null));
		endsLate(MAX - 1, 100);
		LimitInfo reduced = this.limit.describe();
		assertThat(reduced.limit()).isEqualTo(4000);
		assertThat(reduced.used()).isEqualTo(MAX);
		assertThat(reduced.reason()).isEqualTo("reduced, because a call ended long after its deadline");
		assertThat(reduced.movedAt()).isCloseTo(Instant.now(), within(10, ChronoUnit.SECONDS));
		allEnd();
		this.calls.pass(10_000);
		this.calls.answers(this.limit, 1);
		LimitInfo raised = this.limit.describe();
		assertThat(raised.limit()).isEqualTo(4001);
		assertThat(raised.signal()).isEqualTo("a reply is fast within 12.0 ms");
		assertThat(raised.reason()).isEqualTo("raised, because replies are fast");
		this.limit.answered(this.calls.begins().startNanos, 257);
		assertThat(this.limit.describe().reason()).isEqualTo("reduced, because many calls wait for a connection");
		assertThat(this.limit.tryAcquireReserved(true, this.share)).isTrue();
		assertThat(this.limit.describe().reason()).isEqualTo("raised for a call that found no permit");
	}

	@Test
	void description_countsReservedPermits() {
		this.limit.newShare();
		this.limit.newShare();
		endsLate(MAX - 1025, 100);
		assertThat(this.limit.describe().limit()).isEqualTo(this.limit.most() + 1024L);
	}

	@Test
	void fewLateCalls_leaveLimitUnchanged() {
		endsLate(1022, 60_000);
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void smallLimit_isNotRaised_whenCallIsLate() {
		AdaptiveConcurrencyLimit small = this.calls.limit(10, OverflowPolicy.BLOCK);
		this.calls.pass(1);
		ClientCall call = this.calls.begins();
		this.calls.pass(10 * TimedCalls.TIMEOUT_MILLIS);
		this.calls.fails(small, call, true);
		assertThat(small.most()).isEqualTo(10);
	}

}
