package io.rpcboot.internal.server.runtime;

import java.util.ArrayList;
import java.util.List;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.memory.MemoryBudget;
import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.server.connection.binary.CallWindow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class CallCreditPoolTests {

	@Test
	void credit_isLimitedToFairShare() {
		CallCreditPool capacity = new CallCreditPool(1000, 400, 16);
		capacity.join();
		assertThat(capacity.grant(0, 5000)).isEqualTo(400);
		capacity.join();
		capacity.join();
		capacity.join();
		assertThat(capacity.grant(400, 5000)).isEqualTo(250);
		assertThat(capacity.grant(0, 30)).isEqualTo(30);
		assertThat(capacity.granted()).isEqualTo(280);
	}

	@Test
	void credit_isNotPromisedTwice() {
		CallCreditPool capacity = new CallCreditPool(1000, 900, 16);
		capacity.join();
		assertThat(capacity.grant(0, 900)).isEqualTo(900);
		capacity.join();
		assertThat(capacity.grant(0, 900)).isEqualTo(100);
		capacity.leave(900);
		assertThat(capacity.grant(100, 900)).isEqualTo(900);
	}

	@Test
	void newcomer_getsMinimumCredit_whenPoolIsUsedUp() {
		CallCreditPool capacity = new CallCreditPool(1000, 1000, 16);
		capacity.join();
		capacity.grant(0, 1000);
		capacity.join();
		assertThat(capacity.grant(0, 64)).isEqualTo(16);
	}

	@Test
	void connection_keepsOneCall_withManyConnections() {
		CallCreditPool capacity = new CallCreditPool(10, 5, 16);
		for (int i = 0; i < 100; i++) {
			capacity.join();
			assertThat(capacity.grant(0, 64)).isGreaterThanOrEqualTo(1);
		}
		assertThat(capacity.grant(0, 64)).isEqualTo(1);
	}

	@Test
	void greedyClient_isReducedToShare_whenOthersJoin() {
		CallCreditPool calls = new CallCreditPool(1000, 1000, 4);
		MemoryBudget memory = new MemoryBudget(100_000_000, 0);
		CallWindow greedy = grant(calls, memory, 8);
		greedy.open();
		int grown = useAll(greedy, 2000);
		assertThat(grown).as("alone it may have nearly everything").isGreaterThan(500);
		List<CallWindow> modest = new ArrayList<>();
		for (int i = 0; i < 49; i++) {
			CallWindow grant = grant(calls, memory, 8);
			grant.open();
			modest.add(grant);
		}
		assertThat(useAll(greedy, 5000)).isLessThanOrEqualTo(20);
		for (CallWindow grant : modest) {
			assertThat(useAll(grant, 500)).isBetween(4, 20);
		}
		assertThat(calls.granted()).isLessThanOrEqualTo(1000 + 49 * 4);
		modest.forEach(CallWindow::close);
		greedy.close();
		assertThat(calls.granted()).isZero();
		assertThat(memory.used(Direction.INCOMING)).isZero();
	}

	private static CallWindow grant(CallCreditPool calls, MemoryBudget memory, int firstCalls) {
		return new CallWindow(calls, firstCalls, new ReceiveWindow(memory, 1 << 26, () -> {
		}));
	}

	/** Keep as many calls in flight as granted; returns how many that are in the end. */
	private static int useAll(CallWindow grant, int calls) {
		for (int i = 0; i < calls; i++) {
			while (grant.receivedCalls() < grant.calls()) {
				assertThat(grant.takes(10)).isTrue();
			}
			if (grant.release(10)) {
				grant.raise();
			}
		}
		while (grant.receivedCalls() < grant.calls()) {
			grant.takes(10);
		}
		return (int) grant.inFlight();
	}

	@Test
	void window_grows_withoutReleases() {
		CallWindow grant = grant(new CallCreditPool(1000, 500, 4), new MemoryBudget(1_000_000, 0), 8);
		grant.open();
		int taken = 0;
		while (grant.takes(1)) {
			taken++;
			if (grant.isShort()) {
				grant.raise();
			}
		}
		assertThat(taken - 1).as("one more than granted was refused").isEqualTo(499);
		assertThat(grant.isShort()).as("asks for more than its share again and again").isFalse();
	}

	/** Each call is over before the next comes, so few are ever in flight. */
	@Test
	void window_grows_whenClientReportsShortage() {
		CallWindow grant = grant(new CallCreditPool(1000, 500, 4), new MemoryBudget(1_000_000, 0), 8);
		grant.open();
		assertThat(answerAtOnce(grant, 500, false)).as("nobody said so").isLessThanOrEqualTo(8);
		assertThat(answerAtOnce(grant, 500, true)).as("up to its share").isBetween(375L, 500L);
		assertThat(grant.bytes.granted() - grant.bytes.received()).as("bytes were not used up")
			.isLessThanOrEqualTo(64 * 1024);
	}

	/** Returns how far the grant is ahead in the end. */
	private static long answerAtOnce(CallWindow grant, int calls, boolean usesUp) {
		long known = grant.calls();
		for (int i = 0; i < calls; i++) {
			assertThat(grant.takes(1)).isTrue();
			if (grant.receivedCalls() == known) {
				known = grant.calls();
				if (usesUp) {
					grant.onExhausted();
				}
			}
			if (grant.release(1)) {
				grant.raise();
			}
		}
		return grant.calls() - grant.receivedCalls();
	}

	/** Each call beside them is over before the next comes. */
	@ParameterizedTest
	@ValueSource(ints = { 1, 48, 49, 63 })
	void hangingCalls_leaveRestOfWindowToOtherCalls(int hanging) {
		CallWindow grant = grant(new CallCreditPool(64, 64, 4), new MemoryBudget(1_000_000, 0), 64);
		grant.open();
		for (int i = 0; i < hanging; i++) {
			take(grant);
		}
		for (int i = 0; i < 1000; i++) {
			take(grant);
			if (grant.release(1)) {
				grant.raise();
			}
		}
		assertThat(grant.inFlight()).isEqualTo(hanging);
		for (int i = hanging; i < 64; i++) {
			take(grant);
		}
		assertThat(grant.takes(1)).as("more than its window").isFalse();
	}

	/** Its client does not know of them, and may count them as under way. */
	@Test
	void endedCalls_areReported_withoutGrant() {
		CallCreditPool calls = new CallCreditPool(100, 100, 4);
		CallWindow grant = grant(calls, new MemoryBudget(1_000_000, 0), 100);
		grant.open();
		assertThat(grant.allowance()).isEqualTo(100);
		for (int i = 0; i < 75; i++) {
			assertThat(grant.takes(1)).isTrue();
		}
		for (int i = 0; i < 4; i++) {
			calls.join();
		}
		grant.raise(); // its share is 20 from now on
		long told = grant.allowance();
		int words = 0;
		for (int i = 0; i < 75; i++) {
			if (grant.release(1)) {
				grant.raise();
				told = grant.allowance();
				words++;
			}
		}
		assertThat(grant.calls()).isEqualTo(100);
		assertThat(grant.inFlight()).isZero();
		assertThat(told).isBetween(25L, 33L);
		assertThat(words).isLessThan(10);
	}

	/** A grant takes its time to reach the client, which goes on meanwhile. */
	@Test
	void callsNextToHangingCalls_doNotWaitForGrant() {
		CallWindow grant = grant(new CallCreditPool(64, 64, 4), new MemoryBudget(1_000_000, 0), 64);
		grant.open();
		for (int i = 0; i < 48 + 4; i++) {
			take(grant);
		}
		for (int i = 0; i < 1000; i++) {
			if (grant.release(1)) {
				grant.raise();
			}
			take(grant);
			assertThat(grant.calls() - grant.receivedCalls()).as("left after call %d", i).isGreaterThanOrEqualTo(4);
		}
	}

	private static void take(CallWindow grant) {
		assertThat(grant.takes(1)).isTrue();
		if (grant.isShort()) {
			grant.raise();
		}
	}

	@Test
	void ungrantedCall_isRejected() {
		CallWindow grant = grant(new CallCreditPool(2, 2, 1), new MemoryBudget(1_000_000, 0), 2);
		assertThat(grant.takes(1)).as("before it is open").isFalse();
		CallWindow open = grant(new CallCreditPool(2, 2, 1), new MemoryBudget(1_000_000, 0), 2);
		open.open();
		assertThat(open.takes(1)).isTrue();
		assertThat(open.takes(1)).isTrue();
		assertThat(open.takes(1)).isFalse();
	}

	@Test
	void ungrantedBytes_areRejected() {
		CallWindow grant = grant(new CallCreditPool(10, 10, 1), new MemoryBudget(1_000_000, 0), 10);
		grant.open();
		int granted = (int) grant.bytes.granted();
		assertThat(grant.takes(granted - 1)).isTrue();
		assertThat(grant.takes(2)).isFalse();
		assertThat(grant.takes(1)).isTrue();
		assertThat(grant.takes(1)).isFalse();
		assertThat(grant.release(granted - 1)).isTrue();
		grant.raise();
		assertThat(grant.takes(granted - 1)).isTrue();
	}

}
