package io.rpcboot.internal.concurrent;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EngineHealthTests {

	private final EngineHealth health = new EngineHealth();

	private final List<String> told = new ArrayList<>();

	@Test
	void firstFailure_isReportedOnce() {
		this.health.onFailure(this.told::add);
		assertThat(this.health.failure()).isEmpty();
		this.health.failed("thread a", new OutOfMemoryError("heap"));
		this.health.failed("thread b", null);
		assertThat(this.health.failure()).isEqualTo("thread a has ended: java.lang.OutOfMemoryError: heap");
		assertThat(this.told).containsExactly(this.health.failure());
	}

	@Test
	void lateListener_isNotifiedAtOnce() {
		this.health.failed("thread a", null);
		this.health.onFailure(this.told::add);
		assertThat(this.told).containsExactly("thread a has ended: it was stopped from outside");
	}

	@Test
	void failingListener_doesNotStopOtherListeners() {
		this.health.onFailure((why) -> {
			throw new AssertionError("listener");
		});
		this.health.onFailure(this.told::add);
		this.health.failed("thread a", null);
		assertThat(this.told).hasSize(1);
	}

}
