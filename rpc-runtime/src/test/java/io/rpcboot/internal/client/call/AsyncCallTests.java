package io.rpcboot.internal.client.call;

import io.rpcboot.RpcStatus;
import io.rpcboot.internal.client.fixture.HandDrivenClient;
import io.rpcboot.internal.client.limits.ReservedPermits.ReferencePermits;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Of two references each has few calls with one under way. */
class AsyncCallTests {

	private final HandDrivenClient client = new HandDrivenClient(16);

	private final ReferencePermits share = this.client.proxy.resources().share;

	@BeforeEach
	void openTheKeptRoom() {
		this.client.limit.newShare();
		assertThat(this.share.remainingQuota()).isOne();
	}

	@Test
	void admittedCall_countsAgainstQuota_untilItEnds() {
		ClientCall call = this.client.oneWayCall();
		assertThat(this.share.remainingQuota()).as("it has no room yet").isOne();
		call.markAdmitted();
		assertThat(this.share.remainingQuota()).isZero();
		call.fail(RpcStatus.CANCELLED, "over");
		assertThat(this.share.remainingQuota()).isOne();
	}

	@Test
	void waitingCall_countsAgainstQuota_onceAdmitted() {
		ClientCall call = this.client.oneWayCall();
		assertThat(call.admit()).isTrue();
		assertThat(this.share.remainingQuota()).isZero();
		call.fail(RpcStatus.CANCELLED, "over");
		assertThat(this.share.remainingQuota()).isOne();
	}

	@Test
	void call_isNotCounted_whenItEndsBeforeAdmission() {
		ClientCall ended = this.client.oneWayCall();
		ended.fail(RpcStatus.CANCELLED, "over");
		assertThat(ended.admit()).isFalse();
		assertThat(this.share.remainingQuota()).isOne();
		this.client.oneWayCall().discard();
		ClientCall call = this.client.oneWayCall();
		call.markAdmitted();
		assertThat(this.share.remainingQuota()).as("nothing was given back twice").isZero();
	}

}
