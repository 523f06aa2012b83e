package io.rpcboot.internal.transport.binary;

import java.util.function.Function;

import io.rpcboot.internal.memory.ReceiveWindow;
import io.rpcboot.internal.transport.fixture.FlowControlledQueue;
import io.rpcboot.internal.transport.fixture.TestFrame;
import io.rpcboot.internal.transport.frame.WriteDecision;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the requests of a sender for bytes, and their return. */
class SendWindowTests {

	private static final int SHARE = ReceiveWindow.SHARE;

	private static final int LONG = SHARE + 1000;

	private final FlowControlledQueue side = new FlowControlledQueue();

	@AfterEach
	void close() {
		this.side.close();
	}

	@Test
	void frame_isSent_withinGrant() {
		this.side.window(100);
		this.side.enqueue(60);
		this.side.enqueue(40);
		this.side.enqueue(0);
		assertThat(this.side.said()).containsExactly("1", "2", "3");
		assertThat(this.side.grant.sent()).isEqualTo(100);
	}

	@Test
	void emptyFrame_isSent_withoutGrant() {
		this.side.enqueue(0);
		assertThat(this.side.said()).containsExactly("1");
	}

	@Test
	void shortFrame_asksOncePerGrantAndShortFramesWaitBehindIt() {
		this.side.window(100);
		this.side.enqueue(50);
		this.side.enqueue(51);
		this.side.enqueue(10);
		this.side.enqueue(0);
		assertThat(this.side.said()).containsExactly("1", "NEED 51");
		this.side.grant.blocked.resume();
		assertThat(this.side.said()).as("it has asked").isEmpty();
		this.side.window(101);
		assertThat(this.side.said()).as("the third asks when it is the first").containsExactly("2", "NEED 10");
		this.side.window(111);
		assertThat(this.side.said()).containsExactly("3", "4");
	}

	@Test
	void shortFrame_waitsBehindOtherShortFrame() {
		this.side.window(100);
		this.side.enqueue(200);
		assertThat(this.side.said()).containsExactly("NEED 200");
		this.side.enqueue(1);
		assertThat(this.side.said()).isEmpty();
		this.side.window(199);
		assertThat(this.side.said()).as("not yet enough").containsExactly("NEED 200");
		this.side.window(1000);
		assertThat(this.side.said()).containsExactly("1", "2");
	}

	@Test
	void shortFrames_passWaitingLongFrame() {
		this.side.window(100);
		this.side.enqueue(LONG);
		this.side.enqueue(60);
		assertThat(this.side.said()).containsExactly("2", "NEED " + LONG);
		this.side.enqueue(40);
		assertThat(this.side.said()).containsExactly("3");
		this.side.enqueue(30);
		assertThat(this.side.said()).containsExactly("NEED 30");
		this.side.window(130);
		assertThat(this.side.said()).containsExactly("4");
		this.side.answer(130 + LONG);
		assertThat(this.side.said()).containsExactly("1");
	}

	@Test
	void shortFrames_useNoGrantOfLongFrame() {
		this.side.window(100);
		TestFrame large = this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		large.admitted(withoutRoom(large.admission));
		this.side.answer(100 + LONG);
		this.side.enqueue(100);
		this.side.enqueue(1);
		assertThat(this.side.said()).as("no more than there was").containsExactly("2", "NEED 1");
		this.side.enqueue(LONG);
		assertThat(this.side.said()).isEmpty();
		this.hasRoom = true;
		this.side.window(101 + LONG);
		assertThat(this.side.said()).containsExactly("1", "3", "NEED " + LONG);
	}

	private boolean hasRoom;

	private Function<Boolean, WriteDecision> withoutRoom(Function<Boolean, WriteDecision> admission) {
		return (writable) -> admission.apply(this.hasRoom);
	}

	/** An answer may need the table of a contract that was enqueued before it. */
	@Test
	void frames_doNotPassWaitingProtocolFrame() {
		this.side.window(100);
		this.side.enqueueInOrder(LONG);
		this.side.enqueueInOrder(50);
		this.side.enqueue(LONG + 1);
		this.side.enqueue(10);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		this.side.answer(100 + LONG);
		assertThat(this.side.said()).containsExactly("1", "2", "4", "NEED " + (LONG + 1));
		this.side.answer(101 + 2 * LONG);
		assertThat(this.side.said()).containsExactly("3");
		this.side.enqueue(1);
		assertThat(this.side.said()).as("nothing waits any more").containsExactly("5");
	}

	@Test
	void frames_doNotPassWaitingShortProtocolFrame() {
		this.side.window(100);
		this.side.enqueueInOrder(101);
		this.side.enqueue(10);
		this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("NEED 101");
		this.side.window(111);
		assertThat(this.side.said()).containsExactly("1", "2", "NEED " + LONG);
	}

	@Test
	void shortProtocolFrame_passesLongCallFrame() {
		this.side.window(100);
		this.side.enqueue(LONG);
		this.side.enqueueInOrder(50);
		assertThat(this.side.said()).containsExactly("2", "NEED " + LONG);
	}

	@Test
	void longFrames_askOneAfterAnother() {
		this.side.enqueue(LONG);
		this.side.enqueue(LONG + 1);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		this.side.window(LONG);
		assertThat(this.side.said()).as("no answer, though it would do").isEmpty();
		this.side.answer(LONG);
		assertThat(this.side.said()).containsExactly("1", "NEED " + (LONG + 1));
		this.side.answer(2 * LONG + 1);
		assertThat(this.side.said()).containsExactly("2");
		assertThat(this.side.grant.longFrames()).isEqualTo(2);
	}

	@Test
	void longFrame_isSentWithoutAsking_withinGrant() {
		this.side.window(2 * LONG);
		this.side.enqueue(LONG);
		this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("1", "2");
	}

	@Test
	void callCredit_isReservedForAskingLongFrame() {
		this.side.window(100);
		assertThat(this.side.grant.callsKept(10)).isZero();
		this.side.enqueue(LONG);
		this.side.said();
		assertThat(this.side.grant.callsKept(10)).isOne();
		assertThat(this.side.grant.callsKept(LONG)).isZero();
		this.side.answer(100 + LONG);
		this.side.said();
		assertThat(this.side.grant.callsKept(10)).isZero();
		TestFrame large = this.side.enqueue(LONG);
		this.side.said();
		assertThat(this.side.grant.callsKept(10)).isOne();
		this.side.giveUp(large);
		assertThat(this.side.grant.callsKept(10)).as("nobody waits for the answer").isZero();
	}

	@Test
	void grant_neverDecreases() {
		this.side.window(100);
		this.side.window(10);
		assertThat(this.side.grant.granted()).isEqualTo(100);
		this.side.enqueue(100);
		assertThat(this.side.said()).containsExactly("1");
	}

	@Test
	void abandonedFrame_letsOthersPass() {
		this.side.window(100);
		TestFrame first = this.side.enqueue(200);
		this.side.enqueue(100);
		assertThat(this.side.said()).containsExactly("NEED 200");
		this.side.giveUp(first);
		this.side.grant.blocked.resume();
		assertThat(this.side.said()).containsExactly("2");
		assertThat(first.skipped).hasValue(1);
	}

	@Test
	void lateGrantOfAbandonedFrame_isYielded() {
		this.side.window(100);
		TestFrame large = this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		this.side.giveUp(large);
		assertThat(this.side.said()).as("not granted yet").isEmpty();
		this.side.window(150);
		assertThat(this.side.said()).as("nor now").isEmpty();
		this.side.answer(150 + LONG);
		assertThat(this.side.said()).containsExactly("YIELD " + LONG);
		assertThat(this.side.grant.sent()).isEqualTo(LONG);
		this.side.answer(150 + LONG);
		assertThat(this.side.said()).as("once").isEmpty();
	}

	@Test
	void grantOfAbandonedFrame_isYielded_onArrival() {
		TestFrame large = this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		large.abandoned = true;
		this.side.answer(LONG);
		assertThat(this.side.said()).containsExactly("YIELD " + LONG);
	}

	/** Whoever waits for the rest cuts a sender that keeps it. */
	@Test
	void unusedRest_isYielded_beforeNextLongFrame() {
		this.side.window(2 * LONG);
		TestFrame large = this.side.enqueue(10 * LONG);
		this.side.enqueue(LONG - 1);
		this.side.enqueue(LONG - 2);
		assertThat(this.side.said()).containsExactly("NEED " + 10 * LONG);
		large.abandoned = true;
		this.side.answer(12 * LONG);
		assertThat(this.side.said()).containsExactly("YIELD " + (9 * LONG + 1), "2", "3");
	}

	/** Else it would give back bytes that short ones have used. */
	@Test
	void shortFrames_useNoGrantOfAbandonedFrame() {
		this.side.window(100);
		TestFrame large = this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		this.side.answer(100 + LONG);
		this.side.giveUp(large);
		this.side.enqueue(60);
		this.side.enqueue(60);
		assertThat(this.side.said()).startsWith("2");
		assertThat(this.side.grant.sent()).isLessThanOrEqualTo(this.side.grant.granted());
	}

	@Test
	void nextLongFrame_usesGrantOfAbandonedFrame() {
		TestFrame large = this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		this.side.giveUp(large);
		this.side.enqueue(LONG - 100);
		assertThat(this.side.said()).as("it was asked for already").isEmpty();
		this.side.answer(LONG);
		assertThat(this.side.said()).containsExactly("YIELD 100", "2");
	}

	@Test
	void largerFrame_asks_afterGrantOfAbandonedFrameArrives() {
		TestFrame large = this.side.enqueue(LONG);
		assertThat(this.side.said()).containsExactly("NEED " + LONG);
		this.side.giveUp(large);
		this.side.enqueue(2 * LONG);
		assertThat(this.side.said()).isEmpty();
		this.side.answer(LONG);
		assertThat(this.side.said()).containsExactly("YIELD " + LONG, "NEED " + 2 * LONG);
		this.side.answer(3 * LONG);
		assertThat(this.side.said()).containsExactly("2");
		assertThat(this.side.grant.sent()).isEqualTo(3 * LONG);
	}

	@Test
	void unrequestedGrant_isNotYielded_whenFrameIsAbandoned() {
		this.side.window(1000);
		TestFrame frame = this.side.enqueue(100);
		frame.abandoned = true;
		assertThat(this.side.said()).isEmpty();
		assertThat(this.side.grant.sent()).isZero();
	}

	@Test
	void unusedGrant_isYieldedExceptShare() {
		this.side.window(100_000);
		this.side.enqueue(10);
		assertThat(this.side.said()).containsExactly("1");
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).as("it was used since the last look").isEmpty();
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).containsExactly("YIELD " + (100_000 - 10 - SHARE));
		this.side.grant.yieldUnused();
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).as("once").isEmpty();
		this.side.enqueue(SHARE);
		assertThat(this.side.said()).as("the share is there").containsExactly("2");
		this.side.enqueue(1);
		assertThat(this.side.said()).containsExactly("NEED 1");
	}

	@Test
	void share_isNeverYielded() {
		this.side.window(SHARE);
		this.side.grant.yieldUnused();
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).isEmpty();
		this.side.window(SHARE + 1);
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).containsExactly("YIELD 1");
	}

	@Test
	void grant_isNotYielded_whileFrameWaits() {
		this.side.window(10_000);
		this.side.enqueue(20_000);
		assertThat(this.side.said()).containsExactly("NEED 20000");
		for (int i = 0; i < 3; i++) {
			this.side.grant.yieldUnused();
		}
		assertThat(this.side.said()).isEmpty();
		this.side.answer(30_000);
		assertThat(this.side.said()).containsExactly("1");
	}

	@Test
	void queue_knowsNextFrame() {
		TestFrame first = this.side.enqueue(10);
		TestFrame second = this.side.enqueue(10);
		TestFrame large = this.side.enqueue(LONG);
		this.side.said();
		assertThat(this.side.grant.blocked.isNext(first)).isTrue();
		assertThat(this.side.grant.blocked.isNext(second)).isFalse();
		assertThat(this.side.grant.blocked.isNext(large)).isTrue();
		this.side.window(10);
		this.side.said();
		assertThat(this.side.grant.blocked.isNext(first)).isFalse();
		assertThat(this.side.grant.blocked.isNext(second)).isTrue();
	}

	@Test
	void abandonedLaterFrame_leavesOrderUnchanged() {
		this.side.enqueue(100);
		TestFrame second = this.side.enqueue(10);
		assertThat(this.side.said()).containsExactly("NEED 100");
		this.side.giveUp(second);
		assertThat(this.side.said()).isEmpty();
		this.side.window(100);
		assertThat(this.side.said()).containsExactly("1");
	}

	/** It is on its way already when what seems unused is given back. */
	@Test
	void concurrentFrameAndYield_stayWithinGrant() {
		this.side.window(10_000);
		this.side.said();
		this.side.grant.yieldUnused();
		this.side.enqueue(3000);
		this.side.grant.yieldUnused();
		assertThat(this.side.said()).containsExactly("1", "YIELD " + (10_000 - SHARE));
		assertThat(this.side.grant.sent()).isEqualTo(10_000 - SHARE + 3000);
	}

}
