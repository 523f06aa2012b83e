package io.rpcboot.metrics;

import java.util.function.LongSupplier;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

class GaugeRegistrationsTests {

	private final GaugeBook book = new GaugeBook();

	@Test
	void gauges_areRemovedTogetherAndOnce() {
		GaugeRegistrations levels = new GaugeRegistrations(this.book).offer(Gauge.PENDING, () -> 3)
			.offer(Gauge.INSTANCES_READY, "com.acme.A", () -> 4);
		GaugeRegistrations other = new GaugeRegistrations(this.book).offer(Gauge.PENDING, () -> 5);
		assertThat(this.book.of(Gauge.PENDING)).isEqualTo(8);
		assertThat(this.book.subjects(Gauge.PENDING)).containsExactly("", "");
		assertThat(this.book.subjects(Gauge.INSTANCES_READY)).containsExactly("com.acme.A");
		levels.close();
		levels.close();
		assertThat(this.book.of(Gauge.PENDING)).isEqualTo(5);
		assertThat(this.book.subjects(Gauge.INSTANCES_READY)).isEmpty();
		other.close();
		assertThat(this.book.subjects(Gauge.PENDING)).isEmpty();
	}

	@Test
	void failedRemoval_doesNotKeepOtherGauges() {
		GaugeRegistrations levels = new GaugeRegistrations(new FailingForPending()).offer(Gauge.QUEUED, () -> 1)
			.offer(Gauge.PENDING, () -> 2)
			.offer(Gauge.HELD, () -> 3);
		assertThatIllegalStateException().isThrownBy(levels::close).havingCause().withMessage("on purpose");
		assertThat(this.book.subjects(Gauge.QUEUED)).isEmpty();
		assertThat(this.book.subjects(Gauge.HELD)).isEmpty();
		levels.close();
	}

	private final class FailingForPending implements RpcMetrics {

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return GaugeRegistrationsTests.this.book.calls(side, method);
		}

		@Override
		public TransportRecorder transport(Side side) {
			return GaugeRegistrationsTests.this.book.transport(side);
		}

		@Override
		public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
			AutoCloseable taken = GaugeRegistrationsTests.this.book.gauge(level, subject, value);
			return () -> {
				if (level == Gauge.PENDING) {
					throw new IllegalStateException("on purpose");
				}
				taken.close();
			};
		}

	}

}
