package io.rpcboot.internal.server.scheduling;

import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the known minimum of a method's service time. */
class MinServiceTimeTests {

	private final MinServiceTime times = new MinServiceTime();

	private void took(long nanos) {
		if (nanos < this.times.currentMin) {
			this.times.took(nanos);
		}
	}

	@Test
	void minimum_isUnknown_initially() {
		assertThat(this.times.min).isZero();
		this.times.rotate();
		assertThat(this.times.min).isZero();
	}

	@Test
	void minimum_coversTwoRotations() {
		took(30);
		took(20);
		took(40);
		this.times.rotate();
		assertThat(this.times.min).isEqualTo(20);
		took(100);
		this.times.rotate();
		assertThat(this.times.min).isEqualTo(20);
		took(90);
		this.times.rotate();
		assertThat(this.times.min).isEqualTo(90);
	}

	@Test
	void shorterCall_lowersMinimumAtOnce() {
		took(50);
		this.times.rotate();
		took(10);
		assertThat(this.times.min).isEqualTo(10);
		took(-1); // it ended while the clock had been read for others
		assertThat(this.times.min).isZero();
	}

	@Test
	void minimum_isForgotten_afterTenRotationsWithoutCall() {
		took(50);
		this.times.rotate();
		for (int i = 0; i < 9; i++) {
			this.times.rotate();
			assertThat(this.times.min).isEqualTo(50);
		}
		this.times.rotate();
		assertThat(this.times.min).isZero();
		took(70);
		this.times.rotate();
		assertThat(this.times.min).isEqualTo(70);
	}

	@Test
	void probe_isAllowedOnceEach100ms() {
		took(TimeUnit.MILLISECONDS.toNanos(1));
		this.times.rotate();
		long now = System.nanoTime();
		assertThat(this.times.isProbe(now)).isTrue();
		assertThat(this.times.isProbe(now)).isFalse();
		assertThat(this.times.isProbe(now + TimeUnit.MILLISECONDS.toNanos(99))).isFalse();
		assertThat(this.times.isProbe(now + TimeUnit.MILLISECONDS.toNanos(100))).isTrue();
	}

	@Test
	void probesOfSlowMethod_useSmallShareOfThread() {
		took(TimeUnit.MILLISECONDS.toNanos(20));
		this.times.rotate();
		long now = System.nanoTime();
		assertThat(this.times.isProbe(now)).isTrue();
		assertThat(this.times.isProbe(now + TimeUnit.MILLISECONDS.toNanos(399))).isFalse();
		assertThat(this.times.isProbe(now + TimeUnit.MILLISECONDS.toNanos(400))).isTrue();
	}

}
