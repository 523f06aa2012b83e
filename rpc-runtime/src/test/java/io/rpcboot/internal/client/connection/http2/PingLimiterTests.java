package io.rpcboot.internal.client.connection.http2;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class PingLimiterTests {

	private final PingLimiter pings = new PingLimiter();

	private long now = Long.MAX_VALUE - TimeUnit.SECONDS.toNanos(1); // it overflows

	private boolean acquires(int secondsLater) {
		this.now += TimeUnit.SECONDS.toNanos(secondsLater);
		return this.pings.tryAcquire(this.now);
	}

	@Test
	void secondPing_mustWait_withoutFrameOfStream() {
		assertThat(acquires(0)).isTrue();
		this.pings.onAck();
		assertThat(acquires(2)).isFalse();
		assertThat(acquires(297)).isFalse();
		assertThat(acquires(1)).isTrue();
		assertThat(acquires(299)).isFalse();
	}

	@Test
	void pingMaySoonFollow_afterFrameOfStream() {
		for (int i = 0; i < 10; i++) {
			assertThat(acquires(1)).isTrue();
			this.pings.onStreamFrame();
		}
	}

	@Test
	void ping_isUnanswered_untilItsAnswer() {
		assertThat(this.pings.isUnanswered()).isFalse();
		acquires(0);
		this.pings.onStreamFrame();
		assertThat(this.pings.isUnanswered()).isTrue();
		this.pings.onAck();
		assertThat(this.pings.isUnanswered()).isFalse();
	}

}
