package io.rpcboot.internal.client.limits;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import io.rpcboot.client.OverflowPolicy;
import io.rpcboot.internal.client.call.ClientCall;
import io.rpcboot.internal.client.fixture.TimedCalls;
import io.rpcboot.internal.client.limits.ReservedPermits.ReferencePermits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the permits of a client whose capacity is not known yet. */
class ReservedPermitsTests {

	private static final int MAX = 10_000;

	private final TimedCalls calls = new TimedCalls();

	private final AdaptiveConcurrencyLimit limit = this.calls.limit(MAX, OverflowPolicy.FAIL);

	/** Of a reference that is alone. */
	private final ReferencePermits share = new ReservedPermits(MAX).newShare();

	private void fill(AdaptiveConcurrencyLimit first, int count) {
		assertThat(first.room.tryAcquire(1024)).isTrue();
		for (int i = 1024; i < count; i++) {
			assertThat(first.tryAcquireReserved(true, this.share)).isTrue();
		}
	}

	@Test
	void slowReplies_addNoPermits_whenLatencyExceedsBaseline() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		this.calls.answersAfter(first, 20);
		first.room.drainPermits();
		this.calls.answersAfter(first, 51);
		assertThat(first.most()).as("of twice 20 ms and 10 ms").isEqualTo(1024);
		this.calls.answersAfter(first, 50);
		assertThat(first.most()).isEqualTo(1025);
	}

	@Test
	void replies_addNoPermits_whilePermitsAreFree() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		assertThat(first.room.tryAcquire(512)).isTrue();
		for (int i = 0; i < 100; i++) {
			this.calls.answersAfter(first, 1);
		}
		assertThat(first.most()).isEqualTo(1024);
	}

	@Test
	void latencyBaseline_rises_whenRepliesAreSlowWithFreePermits() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		this.calls.answersAfter(first, 20);
		for (int i = 0; i < 200; i++) {
			this.calls.answersAfter(first, 100);
		}
		first.room.drainPermits();
		this.calls.answersAfter(first, 210);
		assertThat(first.most()).isEqualTo(1025);
		this.calls.answersAfter(first, 211);
		assertThat(first.most()).isEqualTo(1025);
	}

	@Test
	void blockingClient_startsWithFewerPermitsAndGainsOnePerReply() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		assertThat(first.most()).isEqualTo(1024);
		assertThat(first.room.tryAcquire(1024)).isTrue();
		assertThat(first.isFull(1)).isTrue();
		this.calls.answers(first, 1);
		assertThat(first.most()).as("each answer makes room").isEqualTo(1025);
		this.calls.answers(first, MAX);
		assertThat(first.most()).isEqualTo(MAX);
		assertThat(first.pending()).isEqualTo(MAX);
	}

	@Test
	void permits_arePaced_afterInitialBurst() throws Exception {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		fill(first, 1024);
		assertThat(first.acquire(false, this.share, 1, () -> true)).isFalse();
		for (int moment = 0; moment < 307; moment++) {
			this.calls.pass(1);
			for (int i = 0; i < 10; i++) {
				assertThat(first.acquire(false, this.share, 1, () -> true)).isTrue();
			}
			assertThat(first.acquire(false, this.share, 1, () -> true)).isFalse();
		}
		this.calls.pass(1);
		assertThat(first.tryAcquirePaced()).isTrue();
		assertThat(first.tryAcquirePaced()).isTrue();
		assertThat(first.pending()).isEqualTo(4096);
		assertThat(first.tryAcquirePaced()).as("less than a moment is left").isFalse();
		this.calls.pass(1);
		assertThat(first.tryAcquirePaced()).isTrue();
		assertThat(first.tryAcquirePaced()).isFalse();
	}

	@Test
	void blockedCall_getsPacedPermit_unlessCallsWereLate() throws Exception {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		fill(first, 4096);
		assertThat(first.acquire(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true)).isFalse();
		this.calls.pass(1);
		assertThat(first.acquire(false, this.share, TimeUnit.DAYS.toNanos(1), () -> true)).isTrue();
		assertThat(first.acquire(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true))
			.as("another thread in the same moment")
			.isFalse();
		assertThat(first.pending()).isEqualTo(4097);
		this.calls.pass(1);
		ClientCall late = this.calls.begins();
		this.calls.endsLate(first, late, 100);
		assertThat(first.most()).as("it has no less than a thousand").isEqualTo(1024);
		assertThat(first.acquire(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true)).isFalse();
		assertThat(first.pending()).isEqualTo(4097);
	}

	/** One more would wait for a connection, too. */
	@Test
	void pacedPermit_isWithheld_whileCallsOfReferenceWait() throws Exception {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		fill(first, 4096);
		this.share.waiting.incrementAndGet();
		this.calls.pass(1);
		assertThat(first.tryAcquirePaced(this.share)).isFalse();
		assertThat(first.acquire(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true)).isFalse();
		assertThat(first.tryAcquirePaced(new ReservedPermits(MAX).newShare())).as("another reference").isTrue();
		this.calls.pass(1);
		this.share.waiting.decrementAndGet();
		assertThat(first.acquire(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true)).isTrue();
	}

	/** As callbacks and event loops, beside blocking calls that take all there is. */
	@Test
	void nonBlockingCall_getsPacedPermit_unlessCallsWereLate() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		fill(first, 4096);
		for (int i = 0; i < 1000; i++) {
			assertThat(first.tryAcquireReserved(true, this.share)).isTrue();
		}
		assertThat(first.tryAcquirePaced()).isFalse();
		this.calls.pass(1);
		assertThat(first.tryAcquirePaced()).isTrue();
		assertThat(first.tryAcquirePaced()).isFalse();
		this.calls.pass(1000);
		for (int i = 0; i < 20; i++) {
			assertThat(first.tryAcquirePaced()).as("call %d of a sweep", i).isTrue();
		}
		assertThat(first.tryAcquirePaced()).isFalse();
		assertThat(first.pending()).isEqualTo(5117);
		assertThat(this.limit.tryAcquirePaced()).as("nothing is withheld").isFalse();
		ClientCall late = this.calls.begins();
		assertThat(this.limit.room.tryAcquire(MAX)).isTrue();
		this.calls.endsLate(this.limit, late, 100);
		assertThat(this.limit.tryAcquirePaced()).isFalse();
		this.calls.pass(9_999);
		assertThat(this.limit.tryAcquirePaced()).isFalse();
		this.limit.leave(1);
		this.calls.pass(1);
		assertThat(this.limit.tryAcquirePaced()).as("none was late for ten seconds").isTrue();
	}

	@Test
	void blockingCall_isAdmittedUpToMaximum() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		assertThat(first.room.tryAcquire(1024)).isTrue();
		for (int i = 1024; i < MAX; i++) {
			assertThat(first.tryAcquireReserved(true, this.share)).isTrue();
		}
		assertThat(first.pending()).isEqualTo(MAX);
		assertThat(first.tryAcquireReserved(true, this.share)).isFalse();
		first.leave(MAX - 1024);
		assertThat(first.isFull(1)).as("the others have no more room").isTrue();
		first.leave(1);
		assertThat(first.isFull(1)).isFalse();
		assertThat(this.limit.tryAcquireReserved(true, this.share)).as("nothing is withheld").isFalse();
	}

	@Test
	void reserve_isTakenFromWithheldPermits() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		first.newShare();
		assertThat(first.room.tryAcquire(100)).isTrue();
		first.newShare();
		assertThat(first.most()).isEqualTo(1024);
		assertThat(first.pending()).isEqualTo(100);
		this.calls.answers(first, MAX);
		assertThat(first.most()).isEqualTo(MAX - 1024);
		assertThat(first.isReduced()).isFalse();
	}

	@Test
	void reservedPermits_countTowardsMaximum() {
		AdaptiveConcurrencyLimit first = this.calls.limit(MAX, OverflowPolicy.BLOCK);
		first.newShare();
		ReferencePermits second = first.newShare();
		assertThat(first.room.tryAcquire(1024)).isTrue();
		while (first.tryAcquireReserved(true, second)) {
			assertThat(first.pending()).isLessThanOrEqualTo(MAX);
		}
		assertThat(first.pending()).isEqualTo(MAX);
	}

	/** As a thread does that gets no processor. */
	@Test
	void waitingThread_checksClock_whenScheduledLate() throws Exception {
		assertThat(this.limit.room.tryAcquire(MAX)).isTrue();
		AtomicInteger looks = new AtomicInteger();
		assertThat(this.limit.acquire(false, this.share, TimeUnit.MILLISECONDS.toNanos(200), () -> {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
			return looks.incrementAndGet() < 100;
		})).isFalse();
		assertThat(looks.get()).isLessThan(8);
	}

}
