package io.rpcboot.metrics.micrometer;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.pause.PauseDetector;
import io.micrometer.core.instrument.noop.NoopDistributionSummary;
import io.micrometer.core.instrument.noop.NoopTimer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.LoggedLines;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.metrics.EndedCall;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Registries that fail, filters that deny and rename, and more methods than wanted. */
class MetersTests {

	private static final String PEER = "10.0.0.1:9090";

	private static final ServiceDescriptor SERVICE = ServiceDescriptor.of(Shop.class);

	/** A contract. */
	public interface Shop {

		void buy();

		void sell();

		void steal();

	}

	@RegisterExtension
	final LoggedLines lines = new LoggedLines("rpc.metrics");

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerRpcMetrics metrics = new MicrometerRpcMetrics(this.registry);

	@Test
	void failingRegistry_isLoggedOnce() throws Exception {
		this.registry.config().meterFilter(new MeterFilter() {
			@Override
			public Meter.Id map(Meter.Id id) {
				throw new IllegalStateException("fails on purpose");
			}
		});
		useAll(this.metrics);
		assertThat(this.registry.getMeters()).isEmpty();
		assertThat(this.lines.messages()).containsExactly("Meter registry " + SimpleMeterRegistry.class.getName()
				+ " failed; calls are not affected, meters may be missing or too low from now on, without another line");
		assertThat(this.lines.causes()).containsExactly("fails on purpose");
	}

	@Test
	void failingMeters_areLoggedOnce() throws Exception {
		useAll(new MicrometerRpcMetrics(new ThrowingRegistry()));
		assertThat(this.lines.causes()).containsExactly("fails on purpose");
	}

	/** The event loop ends a connection of which a recorder throws. */
	private static void useAll(RpcMetrics metrics) throws Exception {
		CallBatch tally = new CallBatch(PEER);
		for (Side side : Side.values()) {
			CallRecorder calls = metrics.calls(side, SERVICE.methods().get(0));
			calls.record(RpcStatus.OK, 5, PEER);
			calls.record(RpcStatus.CANCELLED, 5, PEER);
			calls.threw("java.lang.NullPointerException");
			calls.failed(Serialization.READ);
			tally.add(calls, RpcStatus.OK, 5, EndedCall.AT_ONCE);
			tally.carried(calls, 1, 2);
			tally.publish();
			metrics.transport(side).connectionOpened("host:1", "app", 1);
			metrics.transport(side).flushed(FlushReason.DRAINED, 1, 100);
			metrics.transport(side).stalled();
			metrics.transport(side).connectionClosed("host:1", "app", "closed", 1);
		}
		for (Gauge level : Gauge.values()) {
			metrics.gauge(level, "any", () -> 1).close();
		}
	}

	@Test
	void deniedMeter_isAbsent() throws Exception {
		this.registry.config().meterFilter(MeterFilter.denyNameStartsWith("rpc.client"));
		useAll(this.metrics);
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.contains("rpc.server.calls", "rpc.server.flushes")
			.noneMatch((name) -> name.startsWith("rpc.client"));
		assertThat(this.lines.messages()).isEmpty();
	}

	@Test
	void renamedMeter_continuesCounting() {
		this.registry.config().meterFilter(new MeterFilter() {
			@Override
			public Meter.Id map(Meter.Id id) {
				return id.withName("acme." + id.getName());
			}
		});
		CallRecorder calls = this.metrics.calls(Side.SERVER, SERVICE.methods().get(0));
		calls.record(RpcStatus.OK, 1_000_000, PEER);
		calls.record(RpcStatus.OK, 1_000_000, PEER);
		assertThat(this.registry.get("acme.rpc.server.calls").functionTimer().count()).isEqualTo(2);
		assertThat(this.registry.getMeters()).allMatch((meter) -> meter.getId().getName().startsWith("acme.rpc."));
	}

	@Test
	void metersMergedByFilter_areSummed() {
		this.registry.config().meterFilter(MeterFilter.ignoreTags("method", "status", "direction", "reason"));
		SERVICE.methods().forEach((method) -> {
			CallRecorder calls = this.metrics.calls(Side.SERVER, method);
			calls.record(RpcStatus.OK, 1_000_000, PEER);
			calls.record(RpcStatus.INTERNAL, 2_000_000, PEER);
			calls.carried(10, 20);
		});
		this.metrics.transport(Side.SERVER).flushed(FlushReason.DRAINED, 1, 100);
		this.metrics.transport(Side.SERVER).flushed(FlushReason.BYTES, 1, 100);
		this.metrics.gauge(Gauge.SERVER_MEMORY_INCOMING, () -> 3);
		this.metrics.gauge(Gauge.SERVER_MEMORY_OUTGOING, () -> 4);
		assertThat(this.registry.get("rpc.server.calls").functionTimer().count()).isEqualTo(6);
		assertThat(this.registry.get("rpc.server.calls").functionTimer().totalTime(TimeUnit.MILLISECONDS)).isEqualTo(9);
		assertThat(this.registry.get("rpc.server.calls.max").timeGauge().value(TimeUnit.MILLISECONDS)).isEqualTo(2);
		assertThat(this.registry.get("rpc.server.calls.bytes").functionCounter().count()).isEqualTo(90);
		assertThat(this.registry.get("rpc.server.flushes").functionCounter().count()).isEqualTo(2);
		assertThat(this.registry.get("rpc.server.memory.used").gauge().value()).isEqualTo(7);
		assertThat(this.lines.messages()).isEmpty();
	}

	@Test
	void oneOfSeveralRegistries_mayPublishHistogram() {
		SimpleMeterRegistry precise = new SimpleMeterRegistry();
		precise.config().meterFilter(new MeterFilter() {
			@Override
			public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
				return DistributionStatisticConfig.builder().serviceLevelObjectives(1_000_000).build().merge(config);
			}
		});
		List<MeterRegistry> both = List.of(precise, this.registry);
		for (List<MeterRegistry> order : List.of(both, List.<MeterRegistry>of(this.registry, precise))) {
			CompositeMeterRegistry all = new CompositeMeterRegistry();
			order.forEach(all::add);
			precise.clear();
			this.registry.clear();
			new MicrometerRpcMetrics(all).calls(Side.CLIENT, SERVICE.methods().get(0)).record(RpcStatus.OK, 5, PEER);
			assertThat(precise.get("rpc.client.calls").timer().takeSnapshot().histogramCounts()).singleElement()
				.satisfies((bucket) -> assertThat(bucket.count()).isOne());
			assertThat(this.registry.get("rpc.client.calls").timer().count()).isOne();
		}
	}

	@Test
	void methodsBeyondLimit_areSummed() {
		MicrometerRpcMetrics few = new MicrometerRpcMetrics(this.registry, 2);
		for (int i = 0; i < 3; i++) {
			SERVICE.methods().forEach((method) -> few.calls(Side.CLIENT, method).record(RpcStatus.OK, 5, PEER));
		}
		few.calls(Side.SERVER, SERVICE.methods().get(2)).threw("java.lang.NullPointerException");
		few.gauge(Gauge.PENDING, () -> 1);
		assertThat(this.registry.get("rpc.client.calls").functionTimers())
			.extracting((timer) -> timer.getId().getTag("service"))
			.containsExactlyInAnyOrder(Shop.class.getName(), Shop.class.getName(), "other");
		assertThat(this.registry.get("rpc.client.calls").tag("method", "other").functionTimer().count()).isEqualTo(3);
		assertThat(this.registry.get("rpc.server.exceptions").functionCounter().getId().getTag("method"))
			.isEqualTo("other");
		assertThat(this.lines.messages()).singleElement()
			.satisfies((line) -> assertThat(line).startsWith("max-methods: 2 methods or services have meters"));
	}

	@Test
	void methodLimit_isRejected_belowOne() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> new MicrometerRpcMetrics(this.registry, 0))
			.withMessageContaining("max-methods: 0 (expected: 1 or more)");
	}

	/** Its own meters throw when something is recorded. */
	private static final class ThrowingRegistry extends SimpleMeterRegistry {

		ThrowingRegistry() {
			super(SimpleConfig.DEFAULT, Clock.SYSTEM);
			config().meterFilter(new MeterFilter() {
				@Override
				public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
					return DistributionStatisticConfig.builder().percentiles(0.5).build().merge(config);
				}
			});
		}

		private static IllegalStateException failure() {
			return new IllegalStateException("fails on purpose");
		}

		@Override
		protected Counter newCounter(Meter.Id id) {
			throw failure();
		}

		@Override
		protected DistributionSummary newDistributionSummary(Meter.Id id, DistributionStatisticConfig config,
				double scale) {
			return new NoopDistributionSummary(id) {
				@Override
				public void record(double amount) {
					throw failure();
				}
			};
		}

		@Override
		protected Timer newTimer(Meter.Id id, DistributionStatisticConfig config, PauseDetector pauses) {
			return new NoopTimer(id) {
				@Override
				public void record(long amount, TimeUnit unit) {
					throw failure();
				}
			};
		}

	}

}
