package io.rpcboot.internal.client.call;

import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.call.AttemptHistory.RedispatchReason;
import io.rpcboot.internal.client.fixture.AbstractHandDrivenRouter;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import io.rpcboot.internal.client.limits.QueuedCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the counters of late, lost, resent and expired calls. */
class ClientCountersTests extends AbstractHandDrivenRouter {

	/** The time of its calls is a minute. */
	private final Caller caller = new Caller(Duration.ofSeconds(10), this.port);

	private ClientCall call(long agoSeconds) {
		ClientCall call = new ClientCall(this.caller.proxy, this.caller.method,
				System.nanoTime() - TimeUnit.SECONDS.toNanos(agoSeconds));
		call.markAdmitted();
		return call;
	}

	private long resent() {
		return Arrays.stream(RedispatchReason.values()).mapToLong(this.counts::resent).sum();
	}

	@ParameterizedTest
	@EnumSource
	void resentCall_isCountedByReason(RedispatchReason why) {
		ClientCall call = call(0);
		this.caller.proxy.dispatchAgain(call, why);
		this.control.runOwn();
		assertWaits(call);
		assertThat(this.counts.resent(why)).isOne();
		assertThat(resent()).isOne();
	}

	@Test
	void returnedCall_expires_afterItsDeadline() {
		this.caller.proxy.dispatchAgain(call(61), RedispatchReason.REFUSED);
		assertThat(resent()).isZero();
		assertThat(this.counts.expired()).isOne();
	}

	@Test
	void endedCall_isNotResent() {
		ClientCall call = call(0);
		call.fail(RpcStatus.CANCELLED, "on purpose");
		this.caller.proxy.dispatchAgain(call, RedispatchReason.DISCONNECTED);
		assertThat(resent()).isZero();
		assertThat(this.counts.cancelled()).isOne();
	}

	@Test
	void call_isNotResent_afterClientCloses() {
		this.caller.directory.close();
		ClientCall call = call(0);
		this.caller.proxy.dispatchAgain(call, RedispatchReason.DISCONNECTED);
		this.control.runOwn();
		assertFailed(call, QueuedCall.CLIENT_CLOSED);
		assertThat(resent()).isZero();
	}

	@Test
	void expiredCall_isCountedOnce_beforeItIsSent() {
		ClientCall call = call(61);
		call.expire();
		call.expire();
		assertThat(call.failure).isNotNull();
		assertThat(call.failure.status()).as("no instance is there").isEqualTo(RpcStatus.UNAVAILABLE);
		call(0).fail(RpcStatus.DEADLINE_EXCEEDED, "before it is sent");
		assertThat(this.counts.expired()).isEqualTo(2);
		assertThat(this.counts.cancelled()).isZero();
	}

	@Test
	void failedCall_isNotCountedAsExpired_beforeItsDeadline() {
		call(0).fail(RpcStatus.UNAVAILABLE, "no instance");
		call(0).fail(RpcStatus.INVALID_ARGUMENT, "too long");
		assertThat(this.counts.expired()).isZero();
		assertThat(this.counts.cancelled()).isZero();
	}

	@ParameterizedTest
	@EnumSource(names = { "DEADLINE_EXCEEDED", "CANCELLED", "UNAVAILABLE" })
	void sentCall_isNotCountedAsExpiredOrCancelled(RpcStatus status) {
		ClientCall call = call(61);
		assertThat(call.markSent(1, 1)).isTrue();
		call.fail(status, "after it was sent");
		assertThat(call.isAbandoned()).isTrue();
		assertThat(this.counts.expired()).isZero();
		assertThat(this.counts.cancelled()).isZero();
	}

	/** It waits for its pause, or for room elsewhere. */
	@ParameterizedTest
	@EnumSource(names = { "DEADLINE_EXCEEDED", "CANCELLED" })
	void sentCall_isNotCounted_whenItEndsBeforeNextAttempt(RpcStatus status) {
		ClientCall call = call(61);
		assertThat(call.markSent(1, 1)).isTrue();
		call.attempts = new AttemptHistory(0);
		call.attempts.mayHaveRun = true;
		assertThat(call.markForRetry()).isTrue();
		call.fail(status, "before it is sent again");
		assertThat(call.isAbandoned()).isTrue();
		assertThat(this.counts.expired()).isZero();
		assertThat(this.counts.cancelled()).isZero();
	}

	@Test
	void blockingCall_isCountedAsExpired_whenLimitStaysFull() {
		HandDrivenClient full = new HandDrivenClient(10);
		assertThat(full.limit.room.tryAcquire(10)).isTrue();
		assertNoRoom(full, 61, RpcStatus.DEADLINE_EXCEEDED);
		assertThat(full.runtime.counts().expired()).isOne();
		assertThat(full.runtime.counts().cancelled()).isZero();
		Thread.currentThread().interrupt();
		assertNoRoom(full, 0, RpcStatus.CANCELLED);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(full.runtime.counts().expired()).isOne();
		assertThat(full.runtime.counts().cancelled()).isOne();
	}

	private static void assertNoRoom(HandDrivenClient full, long agoSeconds, RpcStatus status) {
		ClientCall call = full.call(System.nanoTime() - TimeUnit.SECONDS.toNanos(agoSeconds));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> full.proxy.awaitPermit(call))
			.matches((ex) -> ex.status() == status);
	}

}
