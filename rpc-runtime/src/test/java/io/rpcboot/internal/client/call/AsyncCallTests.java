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

	private final ReferencePermits share = this.client.proxy.share;

	@BeforeEach
	void openTheKeptRoom() {
		this.client.limit.newShare();
		assertThat(this.share.left()).isOne();
	}

	@Test
	void countsWhileItIsUnderWay() {
		ClientCall call = this.client.oneWayCall();
		assertThat(this.share.left()).as("it has no room yet").isOne();
		call.entered();
		assertThat(this.share.left()).isZero();
		call.fail(RpcStatus.CANCELLED, "over");
		assertThat(this.share.left()).isOne();
	}

	@Test
	void countsWhenItHasWaitedForRoom() {
		ClientCall call = this.client.oneWayCall();
		assertThat(call.enter()).isTrue();
		assertThat(this.share.left()).isZero();
		call.fail(RpcStatus.CANCELLED, "over");
		assertThat(this.share.left()).isOne();
	}

	@Test
	void doesNotCountWhenItEndsWithoutRoom() {
		ClientCall ended = this.client.oneWayCall();
		ended.fail(RpcStatus.CANCELLED, "over");
		assertThat(ended.enter()).isFalse();
		assertThat(this.share.left()).isOne();
		assertThat(this.client.oneWayCall().discard()).isTrue();
		ClientCall call = this.client.oneWayCall();
		call.entered();
		assertThat(this.share.left()).as("nothing was given back twice").isZero();
	}

}
