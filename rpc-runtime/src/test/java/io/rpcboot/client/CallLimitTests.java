package io.rpcboot.client;

import java.lang.reflect.Proxy;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.KeptRoom.Share;
import io.rpcboot.context.Attachments;
import io.rpcboot.internal.protocol.FrameType;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.protostuff.ProtostuffSerializer;
import io.rpcboot.workload.UserService;

import static org.assertj.core.api.Assertions.assertThat;

/** How many calls may be under way when they end late. */
class CallLimitTests {

	private static final int MAX = 10_000;

	private static final long TIMEOUT_MILLIS = 1000;

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(UserService.class);

	private static final MethodDescriptor METHOD = SERVICE.methods().get(0);

	private static final MethodCodec CODEC = new ProtostuffSerializer().codec(SERVICE).method(0);

	private static final CalledMethod CALLED = new CalledMethod(METHOD, CODEC, null,
			TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS), 0, false, false, false, RouteKeys.NONE);

	private final AtomicLong clock = new AtomicLong(1L << 40);

	private final CallLimit limit = new CallLimit(MAX, WhenFull.FAIL, nobody(), this.clock::get);

	/** Of a reference that is alone. */
	private final Share share = new KeptRoom(MAX).newShare();

	private static ScheduledExecutorService nobody() {
		return (ScheduledExecutorService) Proxy.newProxyInstance(CallLimitTests.class.getClassLoader(),
				new Class<?>[] { ScheduledExecutorService.class }, (proxy, method, arguments) -> null);
	}

	private void pass(long millis) {
		this.clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
	}

	private ClientCall begins() {
		pass(1);
		assertThat(this.limit.room.tryAcquire()).isTrue();
		return new ClientCall(FrameType.REQUEST, null, CALLED, this.clock.get());
	}

	/** A call begins, and many others, and its end is late. */
	private ClientCall endsLate(int others, long lateMillis) {
		ClientCall call = begins();
		assertThat(this.limit.room.tryAcquire(others)).isTrue();
		pass(TIMEOUT_MILLIS + lateMillis);
		call.entered = true; // as who claims it says
		call.failure = new FutureFailure(RpcStatus.DEADLINE_EXCEEDED, () -> "late", false, null, Attachments.none());
		this.limit.ended(call);
		return call;
	}

	/** Answers, each a millisecond after the call, while all room is taken. */
	private void answers(CallLimit where, int calls) {
		for (int i = 0; i < calls; i++) {
			where.room.drainPermits();
			answersAfter(where, 1);
		}
	}

	private void answersAfter(CallLimit where, long millis) {
		pass(1);
		ClientCall call = new ClientCall(FrameType.REQUEST, null, CALLED, this.clock.get());
		pass(millis);
		where.ended(call);
	}

	private void allEnd() {
		this.limit.leave(this.limit.pending());
		assertThat(this.limit.pending()).isZero();
	}

	@Test
	void callsThatEndInTimeLeaveTheLimitAsItIs() {
		endsLate(MAX - 1, 50);
		assertThat(this.limit.isReduced()).isFalse();
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void callsThatEndLateAreFewerFromThenOn() {
		ClientCall late = endsLate(MAX - 1, 100);
		assertThat(this.limit.most()).as("four fifths of those that ended in time").isEqualTo(4000);
		assertThat(this.limit.pending()).isEqualTo(MAX);
		assertThat(this.limit.isFull(1)).isTrue();
		pass(500);
		this.limit.ended(late);
		assertThat(this.limit.most()).as("others that began before say nothing").isEqualTo(4000);
		this.limit.leave(MAX - 4000);
		assertThat(this.limit.room.tryAcquire()).as("as many as may be are under way").isFalse();
		this.limit.leave(1);
		assertThat(this.limit.room.tryAcquire()).isTrue();
	}

	@Test
	void ofThoseThatBeganSinceOneThatIsLateReducesAgain() {
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
	void answersMakeRoomForMore() {
		endsLate(MAX - 1, 100);
		allEnd();
		answers(this.limit, 800);
		assertThat(this.limit.most()).isEqualTo(4100);
		pass(10_000);
		answers(this.limit, 5900);
		assertThat(this.limit.most()).isEqualTo(MAX);
		assertThat(this.limit.isReduced()).isFalse();
		assertThat(this.limit.room.availablePermits()).as("the last one is free").isOne();
	}

	@Test
	void afterSomeSecondsWithoutOneThatIsLateEachAnswerMakesRoom() {
		endsLate(MAX - 1, 100);
		allEnd();
		pass(10_000);
		answers(this.limit, 1000);
		assertThat(this.limit.most()).isEqualTo(5000);
	}

	@Test
	void answersThatTookLongerThanWithRoomToSpareMakeNone() {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		answersAfter(first, 20);
		first.room.drainPermits();
		answersAfter(first, 51);
		assertThat(first.most()).as("of twice 20 ms and 10 ms").isEqualTo(4096);
		answersAfter(first, 50);
		assertThat(first.most()).isEqualTo(4097);
	}

	@Test
	void answersMakeNoRoomWhileThereIsRoom() {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		assertThat(first.room.tryAcquire(2048)).isTrue();
		for (int i = 0; i < 100; i++) {
			answersAfter(first, 1);
		}
		assertThat(first.most()).isEqualTo(4096);
	}

	@Test
	void answersThatTakeLongerWithRoomToSpareAreExpectedTo() {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		answersAfter(first, 20);
		for (int i = 0; i < 200; i++) {
			answersAfter(first, 100);
		}
		first.room.drainPermits();
		answersAfter(first, 210);
		assertThat(first.most()).isEqualTo(4097);
		answersAfter(first, 211);
		assertThat(first.most()).isEqualTo(4097);
	}

	@Test
	void aCallThatWasNotUnderWaySaysNothing() {
		ClientCall call = begins();
		pass(60_000);
		call.failure = new FutureFailure(RpcStatus.DEADLINE_EXCEEDED, () -> "late", false, null, Attachments.none());
		this.limit.ended(call);
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void thoseWhoWaitInTheirThreadHaveLessRoomAtFirst() {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		assertThat(first.most()).isEqualTo(4096);
		assertThat(first.room.tryAcquire(4096)).isTrue();
		assertThat(first.isFull(1)).isTrue();
		answers(first, 1);
		assertThat(first.most()).as("each answer makes room").isEqualTo(4097);
		answers(first, MAX);
		assertThat(first.most()).isEqualTo(MAX);
		assertThat(first.pending()).isEqualTo(MAX);
	}

	@Test
	void whoFindsNoRoomHasItAfterAMomentUnlessCallsWereLate() throws Exception {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		assertThat(first.room.tryAcquire(4096)).isTrue();
		assertThat(first.enter(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true)).isFalse();
		pass(1);
		assertThat(first.enter(false, this.share, TimeUnit.DAYS.toNanos(1), () -> true)).isTrue();
		assertThat(first.enter(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true))
			.as("another thread in the same moment")
			.isFalse();
		assertThat(first.pending()).isEqualTo(4097);
		pass(1);
		ClientCall late = new ClientCall(FrameType.REQUEST, null, CALLED, this.clock.get());
		pass(TIMEOUT_MILLIS + 100);
		late.entered = true;
		late.failure = new FutureFailure(RpcStatus.DEADLINE_EXCEEDED, () -> "late", false, null, Attachments.none());
		first.ended(late);
		assertThat(first.most()).isEqualTo(first.pending() * 2 / 5);
		assertThat(first.enter(false, this.share, TimeUnit.MILLISECONDS.toNanos(5), () -> true)).isFalse();
		assertThat(first.pending()).isEqualTo(4097);
	}

	/** As callbacks and event loops, beside blocking calls that take all there is. */
	@Test
	void whoMayNotWaitHasRoomInEachMomentUnlessCallsWereLate() {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		assertThat(first.room.tryAcquire(4096)).isTrue();
		for (int i = 0; i < 1000; i++) {
			assertThat(first.enterAtOnce(true, this.share)).isTrue();
		}
		assertThat(first.enterAfterAMoment()).isFalse();
		pass(1);
		assertThat(first.enterAfterAMoment()).isTrue();
		assertThat(first.enterAfterAMoment()).isFalse();
		pass(1000);
		for (int i = 0; i < 20; i++) {
			assertThat(first.enterAfterAMoment()).as("call %d of a sweep", i).isTrue();
		}
		assertThat(first.enterAfterAMoment()).isFalse();
		assertThat(first.pending()).isEqualTo(5117);
		assertThat(this.limit.enterAfterAMoment()).as("nothing is withheld").isFalse();
		endsLate(MAX - 1, 100);
		assertThat(this.limit.enterAfterAMoment()).isFalse();
		pass(9_999);
		assertThat(this.limit.enterAfterAMoment()).isFalse();
		this.limit.leave(1);
		pass(1);
		assertThat(this.limit.enterAfterAMoment()).as("none was late for ten seconds").isTrue();
	}

	@Test
	void aBlockingCallHasRoomUpToTheMost() {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		assertThat(first.room.tryAcquire(4096)).isTrue();
		for (int i = 4096; i < MAX; i++) {
			assertThat(first.enterAtOnce(true, this.share)).isTrue();
		}
		assertThat(first.pending()).isEqualTo(MAX);
		assertThat(first.enterAtOnce(true, this.share)).isFalse();
		first.leave(MAX - 4096);
		assertThat(first.isFull(1)).as("the others have no more room").isTrue();
		first.leave(1);
		assertThat(first.isFull(1)).isFalse();
		assertThat(this.limit.enterAtOnce(true, this.share)).as("nothing is withheld").isFalse();
	}

	@Test
	void aReferenceAloneHasAllRoom() {
		Share alone = this.limit.newShare();
		assertThat(alone.begins()).as("nobody asks").isFalse();
		assertThat(this.limit.room.tryAcquire(MAX)).isTrue();
		assertThat(this.limit.enterAtOnce(false, alone)).isFalse();
		assertThat(this.limit.enterAtOnce(true, alone)).isFalse();
		assertThat(this.limit.isReduced()).isFalse();
	}

	@Test
	void ofSeveralReferencesThoseWithFewCallsHaveRoomThatOthersCannotTake() {
		Share greedy = this.limit.newShare();
		Share modest = this.limit.newShare();
		assertThat(this.limit.most()).isEqualTo(MAX - 1024);
		assertThat(this.limit.room.tryAcquire(MAX - 1024)).isTrue();
		for (int i = 0; i < MAX - 1024; i++) {
			assertThat(greedy.begins()).isTrue();
		}
		assertThat(this.limit.isFull(1)).isTrue();
		assertThat(this.limit.isReduced()).as("it is no sign of late calls").isFalse();
		assertThat(this.limit.enterAtOnce(false, greedy)).isFalse();
		for (int i = 0; i < 256; i++) {
			assertThat(this.limit.enterAtOnce(false, modest)).isTrue();
			assertThat(modest.begins()).isTrue();
		}
		assertThat(this.limit.enterAtOnce(false, modest)).as("they are not few any more").isFalse();
		assertThat(this.limit.pending()).isEqualTo(MAX - 1024 + 256);
		for (int i = 0; i < 1024 - 256; i++) {
			assertThat(this.limit.enterAtOnce(true, greedy)).as("a blocking call").isTrue();
		}
		assertThat(this.limit.enterAtOnce(true, modest)).isFalse();
		assertThat(this.limit.pending()).isEqualTo(MAX);
	}

	@Test
	void whoLeavesFillsTheKeptRoomFirst() throws Exception {
		this.limit.newShare();
		Share share = this.limit.newShare();
		assertThat(this.limit.room.tryAcquire(MAX - 1024)).isTrue();
		for (int i = 0; i < 1024; i++) {
			assertThat(this.limit.enter(true, share, 1, () -> true)).isTrue();
		}
		assertThat(this.limit.enter(true, share, 1, () -> true)).isFalse();
		assertThat(this.limit.isFull(1)).as("somebody may wait for who leaves").isTrue();
		this.limit.leave(1);
		assertThat(this.limit.isFull(1)).as("who leaves next fills the kept room, which has some").isFalse();
		assertThat(this.limit.room.availablePermits()).isZero();
		assertThat(this.limit.enter(true, share, 1, () -> true)).isTrue();
		assertThat(this.limit.enter(true, share, 1, () -> true)).isFalse();
		this.limit.room.release();
		assertThat(this.limit.enter(true, share, 1, () -> true)).as("by the room of all, which there is").isTrue();
		this.limit.leave(1030);
		assertThat(this.limit.kept.taken()).isZero();
		assertThat(this.limit.room.availablePermits()).isEqualTo(6);
		assertThat(this.limit.pending()).isEqualTo(MAX - 1030);
	}

	/** A callback on the event loop may make a call for each answer of one read. */
	@Test
	void whoLeavesMakesRoomWhenTheKeptRoomIsFilled() {
		this.limit.newShare();
		Share greedy = this.limit.newShare();
		assertThat(this.limit.room.tryAcquire(MAX - 1024)).isTrue();
		assertThat(this.limit.enterAtOnce(true, greedy)).isTrue();
		assertThat(this.limit.isFull(1)).as("the first one fills the kept room").isFalse();
		assertThat(this.limit.isFull(2)).as("the second one makes room").isTrue();
		this.limit.leave(2);
		assertThat(this.limit.room.tryAcquire()).isTrue();
		assertThat(this.limit.isFull(1)).as("nobody is in the kept room").isTrue();
	}

	@Test
	void aSmallClientKeepsAQuarter() {
		CallLimit small = new CallLimit(4, WhenFull.FAIL, nobody(), this.clock::get);
		small.newShare();
		Share share = small.newShare();
		assertThat(small.room.tryAcquire(3)).isTrue();
		assertThat(small.isFull(1)).isTrue();
		assertThat(small.enterAtOnce(false, share)).isTrue();
		assertThat(share.begins()).isTrue();
		assertThat(small.enterAtOnce(false, share)).isFalse();
		CallLimit least = new CallLimit(1, WhenFull.FAIL, nobody(), this.clock::get);
		least.newShare();
		Share none = least.newShare();
		assertThat(least.room.tryAcquire()).as("there is nothing to keep").isTrue();
		assertThat(least.enterAtOnce(true, none)).isFalse();
	}

	@Test
	void theKeptRoomIsTakenFromWhatIsWithheld() {
		CallLimit first = new CallLimit(MAX, WhenFull.BLOCK, nobody(), this.clock::get);
		first.newShare();
		assertThat(first.room.tryAcquire(100)).isTrue();
		first.newShare();
		assertThat(first.most()).isEqualTo(4096);
		assertThat(first.pending()).isEqualTo(100);
		answers(first, MAX);
		assertThat(first.most()).isEqualTo(MAX - 1024);
		assertThat(first.isReduced()).isFalse();
	}

	@Test
	void fewCallsThatAreLateHaveOtherReasons() {
		endsLate(1022, 60_000);
		assertThat(this.limit.most()).isEqualTo(MAX);
	}

	@Test
	void aSmallLimitIsNotRaised() {
		CallLimit small = new CallLimit(10, WhenFull.BLOCK, nobody(), this.clock::get);
		pass(1);
		ClientCall call = new ClientCall(FrameType.REQUEST, null, CALLED, this.clock.get());
		pass(10 * TIMEOUT_MILLIS);
		call.entered = true;
		call.failure = new FutureFailure(RpcStatus.DEADLINE_EXCEEDED, () -> "late", false, null, Attachments.none());
		small.ended(call);
		assertThat(small.most()).isEqualTo(10);
	}

}
