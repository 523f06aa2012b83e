package io.rpcboot.metrics.micrometer;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceId;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.CallTally;
import io.rpcboot.metrics.RpcMetrics.Level;
import io.rpcboot.metrics.RpcMetrics.Side;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.TransportRecorder.FlushReason;

import static org.assertj.core.api.Assertions.assertThat;

class MicrometerRpcMetricsTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerRpcMetrics metrics = new MicrometerRpcMetrics(this.registry);

	@Test
	void callsAreTimedByServiceMethodAndStatus() {
		CallRecorder calls = this.metrics.calls(Side.CLIENT, method());
		calls.record(RpcStatus.OK, 1_000);
		calls.record(RpcStatus.OK, 2_000);
		calls.record(RpcStatus.UNAVAILABLE, 5_000);
		this.metrics.calls(Side.SERVER, method()).record(RpcStatus.OK, 7);
		FunctionTimer ok = timer("rpc.client.calls", RpcStatus.OK);
		assertThat(ok.count()).isEqualTo(2);
		assertThat(ok.totalTime(TimeUnit.NANOSECONDS)).isEqualTo(3_000);
		assertThat(timer("rpc.client.calls", RpcStatus.UNAVAILABLE).totalTime(TimeUnit.NANOSECONDS)).isEqualTo(5_000);
		assertThat(timer("rpc.server.calls", RpcStatus.OK).totalTime(TimeUnit.NANOSECONDS)).isEqualTo(7);
	}

	@Test
	void aBatchIsRecordedAtOnce() {
		CallTally tally = new CallTally();
		CallRecorder client = this.metrics.calls(Side.CLIENT, method());
		tally.add(client, RpcStatus.OK, 1_000);
		tally.add(client, RpcStatus.OK, 4_000);
		assertThat(timer("rpc.client.calls", RpcStatus.OK).count()).isZero();
		tally.add(client, RpcStatus.APPLICATION, 2_000);
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
	void everyCallIsRecordedWhereTheRegistryPublishesAHistogram() {
		this.registry.config().meterFilter(new MeterFilter() {
			@Override
			public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
				return DistributionStatisticConfig.builder().percentiles(0.5).build().merge(config);
			}
		});
		CallTally tally = new CallTally();
		CallRecorder client = this.metrics.calls(Side.CLIENT, method());
		tally.add(client, RpcStatus.OK, 1_000);
		tally.add(client, RpcStatus.OK, 9_000);
		tally.publish();
		Timer timer = this.registry.get("rpc.client.calls").timer();
		assertThat(timer.count()).isEqualTo(2);
		assertThat(timer.max(TimeUnit.NANOSECONDS)).isEqualTo(9_000);
		assertThat(timer.takeSnapshot().percentileValues()).hasSize(1);
	}

	@Test
	void twoRecordersOfAMethodShareItsTimers() {
		this.metrics.calls(Side.CLIENT, method()).record(RpcStatus.OK, 1);
		this.metrics.calls(Side.CLIENT, method()).record(RpcStatus.OK, 1);
		assertThat(timer("rpc.client.calls", RpcStatus.OK).count()).isEqualTo(2);
	}

	@Test
	void levelsOfSeveralAreAddedAndTakenBackOneByOne() throws Exception {
		AutoCloseable first = this.metrics.level(Level.PENDING, () -> 3);
		AutoCloseable second = this.metrics.level(Level.PENDING, () -> 4);
		this.metrics.level(Level.IN_FLIGHT, () -> 100);
		assertThat(gauge("rpc.client.calls.pending")).isEqualTo(7);
		assertThat(gauge("rpc.server.calls.in.flight")).isEqualTo(100);
		first.close();
		first.close();
		assertThat(gauge("rpc.client.calls.pending")).isEqualTo(4);
		second.close();
		assertThat(gauge("rpc.client.calls.pending")).isZero();
	}

	@Test
	void eachLevelHasAGaugeOfItsOwn() {
		for (Level level : Level.values()) {
			this.metrics.level(level, () -> 10 + level.ordinal());
		}
		assertThat(gauge("rpc.client.calls.pending")).isEqualTo(10 + Level.PENDING.ordinal());
		assertThat(gauge("rpc.client.calls.queued")).isEqualTo(10 + Level.QUEUED.ordinal());
		assertThat(gauge("rpc.client.calls.held")).isEqualTo(10 + Level.HELD.ordinal());
		assertThat(gauge("rpc.server.calls.in.flight")).isEqualTo(10 + Level.IN_FLIGHT.ordinal());
		assertThat(gauge("rpc.server.grants.calls")).isEqualTo(10 + Level.GRANTED_CALLS.ordinal());
		assertThat(gauge("rpc.server.grants.bytes")).isEqualTo(10 + Level.GRANTED_BYTES.ordinal());
		assertThat(memory("client", "incoming")).isEqualTo(10 + Level.CLIENT_MEMORY_INCOMING.ordinal());
		assertThat(memory("client", "outgoing")).isEqualTo(10 + Level.CLIENT_MEMORY_OUTGOING.ordinal());
		assertThat(gauge("rpc.client.memory.limit")).isEqualTo(10 + Level.CLIENT_MEMORY_LIMIT.ordinal());
		assertThat(memory("server", "incoming")).isEqualTo(10 + Level.SERVER_MEMORY_INCOMING.ordinal());
		assertThat(memory("server", "outgoing")).isEqualTo(10 + Level.SERVER_MEMORY_OUTGOING.ordinal());
		assertThat(gauge("rpc.server.memory.limit")).isEqualTo(10 + Level.SERVER_MEMORY_LIMIT.ordinal());
	}

	private double memory(String side, String direction) {
		return this.registry.get("rpc." + side + ".memory.used").tag("direction", direction).gauge().value();
	}

	@Test
	void aCounterKeepsWhatAClosedServerHasCounted() throws Exception {
		AutoCloseable first = this.metrics.level(Level.DROPPED_RESULTS, () -> 3);
		this.metrics.level(Level.DROPPED_RESULTS, () -> 4);
		assertThat(this.registry.get("rpc.server.results.dropped").functionCounter().count()).isEqualTo(7);
		first.close();
		first.close();
		assertThat(this.registry.get("rpc.server.results.dropped").functionCounter().count()).isEqualTo(7);
	}

	@Test
	void lostAndDroppedCallsAreCountedBySide() {
		this.metrics.level(Level.LOST_CALLS, () -> 3);
		this.metrics.level(Level.DROPPED_CALLS, () -> 4);
		assertThat(this.registry.get("rpc.client.calls.lost").functionCounter().count()).isEqualTo(3);
		assertThat(this.registry.get("rpc.server.calls.dropped").functionCounter().count()).isEqualTo(4);
	}

	@Test
	void stallsAreCountedBySide() {
		this.metrics.transport(Side.SERVER).stalled();
		this.metrics.transport(Side.SERVER).stalled();
		this.metrics.transport(Side.CLIENT).stalled();
		assertThat(this.registry.get("rpc.server.stalls").counter().count()).isEqualTo(2);
		assertThat(this.registry.get("rpc.client.stalls").counter().count()).isOne();
	}

	@Test
	void connectionsAreCountedUpAndDown() {
		TransportRecorder client = this.metrics.transport(Side.CLIENT);
		client.connectionOpened();
		client.connectionOpened();
		client.connectionClosed();
		this.metrics.transport(Side.CLIENT).connectionOpened();
		assertThat(gauge("rpc.client.connections")).isEqualTo(2);
		this.metrics.transport(Side.SERVER);
		assertThat(gauge("rpc.server.connections")).isZero();
	}

	@ParameterizedTest
	@EnumSource
	void aSideThatIsNotThereHasNoMeters(Side side) {
		this.metrics.transport(side);
		this.metrics.calls(side, method()).record(RpcStatus.OK, 1);
		for (Level level : Level.values()) {
			if (isOf(side, level)) {
				this.metrics.level(level, () -> 1);
			}
		}
		String prefix = "rpc." + side.name().toLowerCase(Locale.ROOT) + ".";
		assertThat(this.registry.getMeters()).extracting((meter) -> meter.getId().getName())
			.allMatch((name) -> name.startsWith(prefix))
			.hasSizeGreaterThan(10);
	}

	private static boolean isOf(Side side, Level level) {
		boolean client = Set.of(Level.PENDING, Level.QUEUED, Level.HELD, Level.LOST_CALLS).contains(level)
				|| level.name().startsWith("CLIENT_");
		return client == (side == Side.CLIENT);
	}

	@Test
	void flushesAreCountedByReasonAndMeasured() {
		TransportRecorder server = this.metrics.transport(Side.SERVER);
		server.flushed(FlushReason.DRAINED, 3, 300);
		server.flushed(FlushReason.MESSAGES, 128, 4_000);
		assertThat(this.registry.get("rpc.server.flush.messages").summary().totalAmount()).isEqualTo(131);
		assertThat(this.registry.get("rpc.server.flush.bytes").summary().max()).isEqualTo(4_000);
		assertThat(this.registry.get("rpc.server.flushes").tag("reason", "messages").counter().count()).isOne();
		assertThat(this.registry.get("rpc.server.flushes").tag("reason", "delay").counter().count()).isZero();
		assertThat(this.registry.find("rpc.client.flush.messages").summary()).isNull();
	}

	@Test
	void exceptionsAreCountedByClass() {
		CallRecorder calls = this.metrics.calls(Side.SERVER, method());
		assertThat(this.registry.find("rpc.server.exceptions").counters()).isEmpty();
		calls.threw("java.lang.NullPointerException");
		calls.threw("java.lang.NullPointerException");
		calls.threw("java.lang.IllegalStateException");
		assertThat(exceptions("java.lang.NullPointerException")).isEqualTo(2);
		assertThat(exceptions("java.lang.IllegalStateException")).isOne();
	}

	@Test
	void classesOfExceptionsAreBounded() {
		CallRecorder calls = this.metrics.calls(Side.SERVER, method());
		for (int i = 0; i < 20; i++) {
			calls.threw("Number" + i);
		}
		calls.threw("Number0");
		assertThat(this.registry.find("rpc.server.exceptions").counters()).hasSize(17);
		assertThat(exceptions("Number0")).isEqualTo(2);
		assertThat(exceptions("other")).isEqualTo(4);
	}

	private double exceptions(String type) {
		return this.registry.get("rpc.server.exceptions").tag("exception", type).counter().count();
	}

	@Test
	void everyMeterIsAsDocumentedAndNoOtherExists() {
		this.metrics.calls(Side.CLIENT, method()).record(RpcStatus.CANCELLED, 1);
		this.metrics.calls(Side.SERVER, method()).threw("java.lang.NullPointerException");
		for (Side side : Side.values()) {
			this.metrics.transport(side);
		}
		for (Level level : Level.values()) {
			this.metrics.level(level, () -> 0);
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
	void theManualNamesEveryMeterAndNoOther() throws IOException {
		String manual = Files.readString(Path.of("..", "docs", "operations.md"));
		String chapter = manual.substring(manual.indexOf("\n## Meters"), manual.indexOf("\n## Connections"));
		Set<String> named = Pattern.compile("`(rpc\\.(?:client|server)\\.[a-z.]+)`")
			.matcher(chapter)
			.results()
			.map((match) -> match.group(1))
			.collect(Collectors.toSet());
		assertThat(named)
			.containsExactlyInAnyOrderElementsOf(Arrays.stream(RpcMeters.values()).map(RpcMeters::meterName).toList());
	}

	@Test
	void recordingAllocatesNothing() {
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
			calls.record(RpcStatus.OK, i);
			calls.record(RpcStatus.DEADLINE_EXCEEDED, i);
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
					null);
		}
		catch (NoSuchMethodException ex) {
			throw new IllegalStateException(ex);
		}
	}

	interface UserService {

		String getUser(long id);

	}

}
