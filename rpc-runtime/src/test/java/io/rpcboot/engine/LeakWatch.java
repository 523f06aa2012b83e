package io.rpcboot.engine;

import io.netty.util.ResourceLeakDetector;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks at every buffer, and tells of those that nobody released. */
final class LeakWatch implements AutoCloseable {

	private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

	private final LogRecorder log = new LogRecorder(ResourceLeakDetector.class.getName());

	LeakWatch() {
		ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
	}

	/** What was used must not be reachable any more. */
	void assertNoLeak() {
		Memory.makeLeaksShow();
		assertThat(this.log.messages()).isEmpty();
	}

	@Override
	public void close() {
		this.log.close();
		ResourceLeakDetector.setLevel(this.levelBefore);
	}

}
