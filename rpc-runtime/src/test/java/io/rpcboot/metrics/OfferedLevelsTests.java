package io.rpcboot.metrics;

import java.util.function.LongSupplier;

import org.junit.jupiter.api.Test;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.metrics.RpcMetrics.Level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class OfferedLevelsTests {

	private final LevelBook book = new LevelBook();

	@Test
	void allAreTakenBackTogetherAndOnce() {
		OfferedLevels levels = new OfferedLevels(this.book).offer(Level.PENDING, () -> 3)
			.offer(Level.INSTANCES_READY, "com.acme.A", () -> 4);
		OfferedLevels other = new OfferedLevels(this.book).offer(Level.PENDING, () -> 5);
		assertThat(this.book.of(Level.PENDING)).isEqualTo(8);
		assertThat(this.book.subjects(Level.PENDING)).containsExactly("", "");
		assertThat(this.book.subjects(Level.INSTANCES_READY)).containsExactly("com.acme.A");
		levels.close();
		levels.close();
		assertThat(this.book.of(Level.PENDING)).isEqualTo(5);
		assertThat(this.book.subjects(Level.INSTANCES_READY)).isEmpty();
		other.close();
		assertThat(this.book.subjects(Level.PENDING)).isEmpty();
	}

	@Test
	void oneThatCannotBeTakenBackKeepsNoOther() {
		OfferedLevels levels = new OfferedLevels(new FailingForPending()).offer(Level.QUEUED, () -> 1)
			.offer(Level.PENDING, () -> 2)
			.offer(Level.HELD, () -> 3);
		assertThatIllegalStateException().isThrownBy(levels::close).havingCause().withMessage("on purpose");
		assertThat(this.book.subjects(Level.QUEUED)).isEmpty();
		assertThat(this.book.subjects(Level.HELD)).isEmpty();
		levels.close();
	}

	private final class FailingForPending implements RpcMetrics {

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return OfferedLevelsTests.this.book.calls(side, method);
		}

		@Override
		public TransportRecorder transport(Side side) {
			return OfferedLevelsTests.this.book.transport(side);
		}

		@Override
		public AutoCloseable level(Level level, String subject, LongSupplier value) {
			AutoCloseable taken = OfferedLevelsTests.this.book.level(level, subject, value);
			return () -> {
				if (level == Level.PENDING) {
					throw new IllegalStateException("on purpose");
				}
				taken.close();
			};
		}

	}

}
