package io.rpcboot.internal.server.connection.binary;

import java.util.List;

import io.rpcboot.internal.memory.Direction;
import io.rpcboot.internal.protocol.binary.Bind;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.internal.protocol.binary.Hello;
import io.rpcboot.internal.server.call.ServerCall;
import io.rpcboot.internal.server.fixture.HandDrivenServer;
import io.rpcboot.internal.server.runtime.ServerCounters;
import io.rpcboot.serialization.contract.ContractHash;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the counters of calls that do not begin and of refused services. */
class RejectedCallCountTests {

	private static final int MAX_FRAME = 1 << 20;

	private static final long FOREVER = Long.MAX_VALUE;

	/** More than is kept of a call whose connection has ended. */
	private static final byte[] LONG_ARGUMENTS = new byte[1000];

	private final HandDrivenServer server = new HandDrivenServer(MAX_FRAME, "document");

	private final ServerCounters counts = this.server.runtime.counts;

	@BeforeEach
	void clientTakesResults() {
		this.server.connection.replies().raise(1 << 20, false);
	}

	@AfterEach
	void everyCallHasEnded() {
		this.server.channel.runPendingTasks();
		this.server.channel.finishAndReleaseAll();
		assertThat(this.server.runtime.inFlight.get()).isZero();
	}

	private void assertCounts(int expired, int cancelled, int dropped) {
		assertThat(this.counts.expired.sum()).as("expired").isEqualTo(expired);
		assertThat(this.counts.cancelled.sum()).as("cancelled").isEqualTo(cancelled);
		assertThat(this.counts.dropped.sum()).as("dropped").isEqualTo(dropped);
	}

	@Test
	void startedCall_isNotCountedAsExpiredOrCancelled() {
		this.server.start(FOREVER);
		ServerCall cancelledAfterwards = this.server.start(FOREVER);
		cancelledAfterwards.cancel();
		assertThat(this.server.fetched).hasValue(2);
		assertCounts(0, 0, 0);
	}

	@Test
	void expiredCall_isCounted_whenThreadTakesIt() {
		this.server.start(0);
		assertThat(this.server.fetched).hasValue(0);
		assertCounts(1, 0, 0);
	}

	@Test
	void cancelledCall_isCounted_whenThreadTakesIt() {
		ServerCall call = this.server.newCall(FOREVER);
		call.cancelled = true;
		call.run();
		assertThat(this.server.fetched).hasValue(0);
		assertCounts(0, 1, 0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void endedCall_isCounted_whenItLeavesQueue(boolean cancelled) {
		ServerCall call = this.server.newCall(FOREVER);
		call.cancelled = cancelled;
		call.endUnrun();
		assertCounts(cancelled ? 0 : 1, cancelled ? 1 : 0, 0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void call_isCountedAsCancelled_afterItsConnectionEnds(boolean oneWay) {
		this.server.runtime.inFlight.incrementAndGet();
		ServerCall call = this.server.connection.newStream(this.server.invocation, oneWay, 1, 0, System.nanoTime(),
				FOREVER).call;
		call.request(LONG_ARGUMENTS, 0, LONG_ARGUMENTS.length);
		call.dropRequest();
		call.run();
		assertThat(this.server.fetched).hasValue(0);
		assertCounts(0, 1, oneWay ? 1 : 0);
	}

	/** Its bytes are back in the window before the client has read the response. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void rejectedCall_doesNotKeepItsRequest(boolean waitsInQueue) {
		ServerCall call = this.server.newCall(0);
		call.request(LONG_ARGUMENTS, 0, LONG_ARGUMENTS.length);
		assertThat(call.isDroppable()).isTrue();
		if (waitsInQueue) {
			call.endUnrun();
		}
		else {
			call.run();
		}
		assertThat(call.responseStarted).isTrue();
		assertThat(call.isDroppable()).isFalse();
		assertThat(this.server.fetched).hasValue(0);
	}

	@Test
	void callWaitingForMemory_isCounted_whenCancelled() {
		long hog = this.server.account.mostOfOne();
		this.server.account.tryReserveOutgoing(hog, true);
		ServerCall call = this.server.start(FOREVER);
		assertThat(this.server.runtime.memory.waitingCalls()).isOne();
		call.cancel();
		this.server.account.release(Direction.OUTGOING, hog);
		assertThat(this.server.fetched).hasValue(0);
		assertCounts(0, 1, 0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callWaitingForContract_isCountedAsCancelled_whenItOrItsConnectionEnds(boolean closes) {
		UnboundCalls unbound = new UnboundCalls(this.server.connection,
				new RejectedMethods(this.server.connection.rejector), this.server.runtime);
		unbound.add(new UnboundCall(false, 0, 1, 1, new byte[0], 0, System.nanoTime(), FOREVER));
		assertCounts(0, 0, 0);
		if (closes) {
			unbound.close();
		}
		else {
			unbound.cancel(1);
		}
		unbound.cancel(1);
		assertCounts(0, 1, 0);
	}

	/** As one that waits for a table, or one of a method that is bound. */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callOverLimit_isRejected_thoughItHasCredentialsOfItsOwn(boolean isFull) {
		int others = this.server.runtime.options.maxInFlightCalls - (isFull ? 0 : 1);
		this.server.runtime.inFlight.addAndGet(others);
		UnboundCalls unbound = new UnboundCalls(this.server.connection,
				new RejectedMethods(this.server.connection.rejector), this.server.runtime);
		this.server.expected = 0;
		this.server.method.results.accept(0);
		this.server.method.results.entered();
		unbound.startNow(new UnboundCall(false, 0, 1, 1, new byte[0], 0, System.nanoTime(), FOREVER),
				this.server.invocation);
		assertThat(this.server.fetched).hasValue(isFull ? 0 : 1);
		this.server.channel.runPendingTasks();
		assertThat(this.server.runtime.inFlight.addAndGet(-others)).isZero();
	}

	@Test
	void unknownService_isCountedAsRefused() {
		byte[] hello = new Hello(MAX_FRAME, List.of("protostuff"), "test", 0).encode();
		this.server.connection.onFrame(FrameType.HELLO, 0, 0, 0, hello, 0, hello.length);
		assertThat(this.counts.refusedContracts.sum()).isZero();
		byte[] bind = new Bind(1, new ContractHash(1, 2), List.of(), "com.acme.A", "protostuff").encode();
		this.server.connection.onFrame(FrameType.BIND, 0, 0, 0, bind, 0, bind.length);
		assertThat(this.counts.refusedContracts.sum()).isOne();
	}

}
