package io.rpcboot.metrics.micrometer;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.search.Search;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallBatch;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallRecorder.Serialization;
import io.rpcboot.metrics.EndedCall;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class MicrometerRpcMetricsTests {

	private static final String PEER = "10.0.0.1:9090";

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerRpcMetrics metrics = new MicrometerRpcMetrics(this.registry);

	@Test
	void calls_areTimedByMethodAndStatus() {
		CallRecorder calls = this.metrics.calls(Side.CLIENT, method());
		calls.record(RpcStatus.OK, 1_000, PEER);
		calls.record(RpcStatus.OK, 2_000, PEER);
		calls.record(RpcStatus.UNAVAILABLE, 5_000, PEER);
		this.metrics.calls(Side.SERVER, method()).record(RpcStatus.OK, 7, PEER);
		FunctionTimer ok = timer("rpc.client.calls", RpcStatus.OK);
		assertThat(ok.count()).isEqualTo(2);
		assertThat(ok.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(3_000);
		assertThat(timer("rpc.client.calls", RpcStatus.UNAVAILABLE).totalTime(TimeUnit.NANOSECONDS)).isEqualTo(5_000);
		assertThat(timer("rpc.server.calls", RpcStatus.OK).totalTime(TimeUnit.NANOSECONDS)).isEqualTo(7);
	}

	@Test
	void callers_areCountedByName_upToABound() {
		TransportRecorder server = this.metrics.transport(Side.SERVER);
		for (int i = 0; i < 150; i++) {
			server.connectionIdentified("caller-" + i);
			server.connectionIdentified("caller-0");
		}
		Search callers = this.registry.find("rpc.server.connections.identified");
		assertThat(callers.functionCounters()).hasSizeBetween(100, 101);
		assertThat(callers.tag("caller", "caller-0").functionCounter().count()).isEqualTo(151);
		assertThat(this.registry.find("rpc.server.connections.identified")
			.tag("caller", RpcMeters.OTHER)
			.functionCounter()
			.count()).isEqualTo(50);
	}

	@Test
	void calls_areCountedByProtocol() {
		this.metrics.calls(Side.SERVER, method()).record(RpcStatus.OK, 1, PEER);
		CallRecorder grpc = this.metrics.calls(Side.SERVER, method(), "grpc");
		assertThat(this.metrics.calls(Side.SERVER, method(), "grpc")).isSameAs(grpc);
		assertThat(this.registry.find("rpc.server.calls").tag("protocol", "grpc").functionTimer())
			.as("every method is offered over gRPC")
			.isNull();
		grpc.record(RpcStatus.OK, 2, PEER);
		grpc.record(RpcStatus.OK, 3, PEER);
		grpc.carried(10, 20);
		assertThat(this.registry.get("rpc.server.calls").tag("protocol", "native").functionTimer().count()).isOne();
		assertThat(this.registry.get("rpc.server.calls").tag("protocol", "grpc").functionTimer().count()).isEqualTo(2);
		assertThat(this.registry.get("rpc.server.calls.bytes")
			.tag("protocol", "grpc")
			.tag("direction", "result")
			.functionCounter()
			.count()).isEqualTo(20);
	}

	@Test
	void metersOfClient_beginWithReference_whateverItsProtocol() {
		this.metrics.calls(Side.CLIENT, method(), "grpc");
		assertThat(this.registry.get("rpc.client.calls").tag("protocol", "grpc").functionTimer().count()).isZero();
	}

	@Test
	void batch_isRecorded_whenPublished() {
		CallBatch tally = new CallBatch(PEER);
		CallRecorder client = this.metrics.calls(Side.CLIENT, method());
		tally.add(client, RpcStatus.OK, 1_000, EndedCall.AT_ONCE);
		tally.add(client, RpcStatus.OK, 4_000, EndedCall.AT_ONCE);
		assertThat(timer("rpc.client.calls", RpcStatus.OK).count()).isZero();
		tally.add(client, RpcStatus.APPLICATION, 2_000, EndedCall.AT_ONCE);
		assertThat(timer("rpc.client.calls", RpcStatus.OK).count()).isEqualTo(2);
		tally.publish();
		tally.publish();
		assertThat(timer("rpc.client.calls", RpcStatus.APPLICATION).count()).isOne();
		assertThat(timer("rpc.client.calls", RpcStatus.OK).totalTime(TimeUnit.NANOSECONDS)).isEqualTo(5_000);
		assertThat(
				this.registry.get("rpc.client.calls.max").tag("status", "OK").timeGauge().value(TimeUnit.NANOSECONDS))
			.isEqualTo(4_000);
	}

	@Test
	void longBatch_isRecordedCompletely() {
		CallBatch tally = new CallBatch(PEER);
		CallRecorder client = this.metrics.calls(Side.CLIENT, method());
		for (int i = 1; i <= 1_000; i++) {
			tally.add(client, RpcStatus.OK, i, EndedCall.AT_ONCE);
		}
		tally.publish();
		FunctionTimer ok = timer("rpc.client.calls", RpcStatus.OK);
		assertThat(ok.count()).isEqualTo(1_000);
		assertThat(ok.totalTime(TimeUnit.NANOSECONDS)).isCloseTo(500_500, within(0.001));
	}

	@Test
	void calls_areRecordedSeparately_whenRegistryPublishesHistogram() {
		this.registry.config().meterFilter(new MeterFilter() {
			@Override
			public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
				return DistributionStatisticConfig.builder().percentiles(0.5).build().merge(config);
			}
		});
		CallBatch tally = new CallBatch(PEER);
		CallRecorder client = this.metrics.calls(Side.CLIENT, method());
		tally.add(client, RpcStatus.OK, 1_000, EndedCall.AT_ONCE);
		tally.add(client, RpcStatus.OK, 9_000, EndedCall.AT_ONCE);
		tally.publish();
		Timer timer = this.registry.get("rpc.client.calls").timer();
		assertThat(timer.count()).isEqualTo(2);
		assertThat(timer.max(TimeUnit.NANOSECONDS)).isEqualTo(9_000);
		assertThat(timer.takeSnapshot().percentileValues()).hasSize(1);
	}

	@Test
	void recorders_shareTimersOfSameMethod() {
		this.metrics.calls(Side.CLIENT, method()).record(RpcStatus.OK, 1, PEER);
		this.metrics.calls(Side.CLIENT, method()).record(RpcStatus.OK, 1, PEER);
		assertThat(timer("rpc.client.calls", RpcStatus.OK).count()).isEqualTo(2);
	}

	@Test
	void gauges_areSummedAndRemovedSeparately() throws Exception {
		AutoCloseable first = this.metrics.gauge(Gauge.PENDING, () -> 3);
		AutoCloseable second = this.metrics.gauge(Gauge.PENDING, () -> 4);
		this.metrics.gauge(Gauge.IN_FLIGHT, () -> 100);
		assertThat(gauge("rpc.client.calls.pending")).isEqualTo(7);
		assertThat(gauge("rpc.server.calls.in.flight")).isEqualTo(100);
		first.close();
		first.close();
		assertThat(gauge("rpc.client.calls.pending")).isEqualTo(4);
		second.close();
		assertThat(gauge("rpc.client.calls.pending")).isZero();
	}

	@Test
	void gauges_haveDistinctValues() {
		for (Gauge level : Gauge.values()) {
			this.metrics.gauge(level, "com.acme.UserService", () -> 10 + level.ordinal());
		}
		for (Gauge level : Gauge.values()) {
			GaugeMeter shown = GaugeMeter.of(level);
			Search found = this.registry.find(shown.meter().meterName()).tags(shown.tags("com.acme.UserService"));
			double value = (shown.meter().type() == Meter.Type.COUNTER) ? found.functionCounter().count()
					: found.gauge().value();
			assertThat(value / shown.scale()).as(level.name()).isCloseTo(10 + level.ordinal(), within(1e-6));
		}
		assertThat(this.registry.get("rpc.server.memory.used").tag("direction", "outgoing").gauge().value())
			.isEqualTo(10 + Gauge.SERVER_MEMORY_OUTGOING.ordinal());
	}

	@Test
	void counter_keepsValueOfClosedServer() throws Exception {
		AutoCloseable first = this.metrics.gauge(Gauge.DROPPED_RESULTS, () -> 3);
		this.metrics.gauge(Gauge.DROPPED_RESULTS, () -> 4);
		assertThat(this.registry.get("rpc.server.results.dropped").functionCounter().count()).isEqualTo(7);
		first.close();
		first.close();
		assertThat(this.registry.get("rpc.server.results.dropped").functionCounter().count()).isEqualTo(7);
	}

	@Test
	void lostAndDroppedCalls_areCountedBySide() {
		this.metrics.gauge(Gauge.LOST_CALLS, () -> 3);
		this.metrics.gauge(Gauge.DROPPED_CALLS, () -> 4);
		assertThat(this.registry.get("rpc.client.calls.lost").functionCounter().count()).isEqualTo(3);
		assertThat(this.registry.get("rpc.server.calls.dropped").functionCounter().count()).isEqualTo(4);
	}

	@Test
	void stalls_areCountedBySide() {
		this.metrics.transport(Side.SERVER).stalled();
		this.metrics.transport(Side.SERVER).stalled();
		this.metrics.transport(Side.CLIENT).stalled();
		assertThat(this.registry.get("rpc.server.stalls").functionCounter().count()).isEqualTo(2);
		assertThat(this.registry.get("rpc.client.stalls").functionCounter().count()).isOne();
	}

	@Test
	void sharedGauge_isAddedOnce_untilLastOwnerRemovesIt() throws Exception {
		LongSupplier shared = () -> 5;
		AutoCloseable first = this.metrics.gauge(Gauge.ALLOCATOR_DIRECT, shared);
		AutoCloseable second = this.metrics.gauge(Gauge.ALLOCATOR_DIRECT, shared);
		this.metrics.gauge(Gauge.ALLOCATOR_DIRECT, () -> 7);
		assertThat(allocator("direct")).isEqualTo(12);
		first.close();
		first.close();
		assertThat(allocator("direct")).isEqualTo(12);
		second.close();
		assertThat(allocator("direct")).isEqualTo(7);
	}

	private double allocator(String memory) {
		return this.registry.get("rpc.allocator.used").tag("memory", memory).gauge().value();
	}

	@Test
	void connectsOfClient_areCountedByOutcome() {
		for (Side side : Side.values()) {
			TransportRecorder recorder = this.metrics.transport(side);
			recorder.connectionOpened("10.0.0.1:9090", "shop", 1_000);
			recorder.connectionOpened("10.0.0.2:9090", "shop", 1_000);
			recorder.connectionClosed("10.0.0.1:9090", "shop", "closed by the server", 2_000);
			recorder.connectFailed("10.0.0.3:9090", "refused", 1_000);
		}
		assertThat(connects("connected")).isEqualTo(2);
		assertThat(connects("failed")).isOne();
		assertThat(this.registry.find("rpc.server.connects").meters()).isEmpty();
	}

	private double connects(String outcome) {
		return this.registry.get("rpc.client.connects").tag("outcome", outcome).functionCounter().count();
	}

	@Test
	void writeLatency_isTimedBySide() {
		this.metrics.transport(Side.CLIENT).written(4_000);
		this.metrics.transport(Side.CLIENT).written(6_000);
		this.metrics.transport(Side.SERVER).written(5_000);
		assertThat(this.registry.get("rpc.client.written").timer().totalTime(TimeUnit.NANOSECONDS)).isEqualTo(10_000);
		assertThat(this.registry.get("rpc.client.written").timer().count()).isEqualTo(2);
		assertThat(this.registry.get("rpc.server.written").timer().max(TimeUnit.NANOSECONDS)).isEqualTo(5_000);
	}

	@Test
	void queueTime_isTimedOnServerOnly() {
		this.metrics.transport(Side.SERVER).started(5_000);
		this.metrics.transport(Side.CLIENT).started(7_000);
		Timer started = this.registry.get("rpc.server.started").timer();
		assertThat(started.count()).isOne();
		assertThat(started.max(TimeUnit.NANOSECONDS)).isEqualTo(5_000);
	}

	@ParameterizedTest
	@EnumSource
	void unusedSide_hasNoMeters(Side side) {
		String prefix = "rpc." + side.name().toLowerCase(Locale.ROOT) + ".";
		this.metrics.transport(side);
		this.metrics.calls(side, method()).record(RpcStatus.OK, 1, PEER);
		for (Gauge level : Gauge.values()) {
			if (GaugeMeter.of(level).meter().meterName().startsWith(prefix)) {
				this.metrics.gauge(level, () -> 1);
			}
		}
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.allMatch((name) -> name.startsWith(prefix))
			.hasSizeGreaterThan(10);
	}

	@Test
	void flushes_areCountedByReasonAndMeasured() {
		TransportRecorder server = this.metrics.transport(Side.SERVER);
		server.flushed(FlushReason.DRAINED, 3, 300);
		server.flushed(FlushReason.MESSAGES, 128, 4_000);
		assertThat(this.registry.get("rpc.server.flush.messages").summary().totalAmount()).isEqualTo(131);
		assertThat(this.registry.get("rpc.server.flush.bytes").summary().max()).isEqualTo(4_000);
		assertThat(this.registry.get("rpc.server.flushes").tag("reason", "messages").functionCounter().count()).isOne();
		assertThat(this.registry.get("rpc.server.flushes").tag("reason", "delay").functionCounter().count()).isZero();
		assertThat(this.registry.find("rpc.client.flush.messages").summary()).isNull();
	}

	@Test
	void exceptions_areCountedByClass() {
		CallRecorder calls = this.metrics.calls(Side.SERVER, method());
		assertThat(this.registry.find("rpc.server.exceptions").functionCounters()).isEmpty();
		calls.threw("java.lang.NullPointerException");
		calls.threw("java.lang.NullPointerException");
		calls.threw("java.lang.IllegalStateException");
		assertThat(exceptions("java.lang.NullPointerException")).isEqualTo(2);
		assertThat(exceptions("java.lang.IllegalStateException")).isOne();
	}

	@Test
	void exceptionClasses_areBounded() {
		CallRecorder calls = this.metrics.calls(Side.SERVER, method());
		for (int i = 0; i < 20; i++) {
			calls.threw("Number" + i);
		}
		calls.threw("Number0");
		assertThat(this.registry.find("rpc.server.exceptions").functionCounters()).hasSize(17);
		assertThat(exceptions("Number0")).isEqualTo(2);
		assertThat(exceptions("other")).isEqualTo(4);
	}

	private double exceptions(String type) {
		return this.registry.get("rpc.server.exceptions").tag("exception", type).functionCounter().count();
	}

	@Test
	void meters_matchDocumentation() {
		this.metrics.calls(Side.CLIENT, method()).record(RpcStatus.CANCELLED, 1, PEER);
		this.metrics.calls(Side.CLIENT, method()).failed(Serialization.WRITE);
		this.metrics.calls(Side.SERVER, method()).failed(Serialization.READ);
		this.metrics.calls(Side.SERVER, method()).threw("java.lang.NullPointerException");
		for (Side side : Side.values()) {
			this.metrics.transport(side).connectionIdentified("shop");
			this.metrics.calls(side, method()).elements(1, 1);
		}
		for (Gauge level : Gauge.values()) {
			this.metrics.gauge(level, () -> 0);
		}
		for (RpcMeters documented : RpcMeters.values()) {
			assertThat(this.registry.find(documented.meterName()).meters()).as(documented.meterName())
				.isNotEmpty()
				.allSatisfy((meter) -> {
					assertThat(meter.getId().getType()).isEqualTo(documented.type());
					assertThat(meter.getId().getBaseUnit()).isEqualTo(documented.baseUnit());
					assertThat(meter.getId().getDescription()).isEqualTo(documented.description()).isNotBlank();
					assertThat(meter.getId().getTags().stream().map(Tag::getKey))
						.containsExactlyInAnyOrderElementsOf(documented.tags());
				});
		}
		Set<String> names = Arrays.stream(RpcMeters.values()).map(RpcMeters::meterName).collect(Collectors.toSet());
		assertThat(this.registry.getMeters()).extracting(Meter::getId)
			.extracting(Meter.Id::getName)
			.allMatch(names::contains);
	}

	@Test
	void recording_allocatesNothing() {
		CallRecorder calls = this.metrics.calls(Side.CLIENT, method());
		TransportRecorder transport = this.metrics.transport(Side.CLIENT);
		record(calls, transport, 20_000);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		record(calls, transport, 20_000);
		assertThat((threads.getCurrentThreadAllocatedBytes() - before) / 20_000).isZero();
	}

	private static void record(CallRecorder calls, TransportRecorder transport, int times) {
		for (int i = 0; i < times; i++) {
			calls.record(RpcStatus.OK, i, PEER);
			calls.record(RpcStatus.DEADLINE_EXCEEDED, i, PEER);
			calls.carried(i, i);
			transport.flushed(FlushReason.DRAINED, 1, 100);
		}
	}

	private FunctionTimer timer(String name, RpcStatus status) {
		return this.registry.get(name)
			.tag("service", "com.acme.UserService:2")
			.tag("method", method().signature())
			.tag("status", status.name())
			.functionTimer();
	}

	private double gauge(String name) {
		return this.registry.get(name).gauge().value();
	}

	private static MethodDescriptor method() {
		try {
			return new MethodDescriptor(new ServiceId("com.acme.UserService", "2", ""), 0,
					UserService.class.getMethod("getUser", long.class), MethodDescriptor.Style.BLOCKING, List.of(),
					null, false);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface UserService {

		String getUser(long id);

	}

}
