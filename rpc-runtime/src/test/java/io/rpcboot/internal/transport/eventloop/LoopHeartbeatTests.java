package io.rpcboot.internal.transport.eventloop;

import java.util.concurrent.TimeUnit;

import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoopHeartbeatTests {

	private final EmbeddedChannel channel = new EmbeddedChannel();

	private final LoopHeartbeat pulse = new LoopHeartbeat();

	@Test
	void unstartedHeartbeat_reportsNoGap() {
		assertThat(System.nanoTime() - this.pulse.beatNanos).isNegative();
	}

	@Test
	void heartbeat_beats_afterStart() {
		this.pulse.start(this.channel.eventLoop());
		this.pulse.watchGaps();
		assertThat(System.nanoTime() - this.pulse.beatNanos).isBetween(0L, TimeUnit.SECONDS.toNanos(10));
	}

	/** What has waited may be read after it. */
	@Test
	void lateBeat_keepsGapVisible_untilNextBeat() {
		this.pulse.start(this.channel.eventLoop());
		this.pulse.watchGaps();
		this.pulse.lastRunNanos -= 2 * LoopHeartbeat.GAP_NANOS;
		long before = this.pulse.beatNanos;
		this.pulse.run();
		assertThat(this.pulse.beatNanos).isEqualTo(before);
		this.pulse.run();
		assertThat(this.pulse.beatNanos).isGreaterThan(before);
	}

}
