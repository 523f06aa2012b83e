package io.rpcboot.engine;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;

import static org.assertj.core.api.Assertions.assertThat;

/** Looks at buffers, and tells of those that nobody released. */
final class LeakWatch implements AutoCloseable {

	private final ResourceLeakDetector.Level levelBefore = ResourceLeakDetector.getLevel();

	private final LogRecorder log = new LogRecorder(ResourceLeakDetector.class.getName());

	/** Every buffer. */
	LeakWatch() {
		this(ResourceLeakDetector.Level.PARANOID);
	}

	/** As many as the level says: where there are many, a few tell enough. */
	LeakWatch(ResourceLeakDetector.Level level) {
		ResourceLeakDetector.setLevel(level);
	}

	/** What was used must not be reachable any more. */
	void assertNoLeak() {
		for (int i = 0; i < 3; i++) {
			System.gc();
			for (int j = 0; j < 200; j++) {
				PooledByteBufAllocator.DEFAULT.directBuffer(64).release();
			}
		}
		assertThat(this.log.messages()).isEmpty();
	}

	@Override
	public void close() {
		this.log.close();
		ResourceLeakDetector.setLevel(this.levelBefore);
	}

}
