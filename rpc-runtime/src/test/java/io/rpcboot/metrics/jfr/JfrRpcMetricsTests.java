package io.rpcboot.metrics.jfr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics.Gauge;
import io.rpcboot.metrics.StreamEnd;
import io.rpcboot.metrics.TracedCallRecorder;
import io.rpcboot.metrics.TransportRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** Tests the events of calls and connections in a recording. */
class JfrRpcMetricsTests {

	private static final long SLOW = 1_000_000;

	private final JfrRpcMetrics metrics = new JfrRpcMetrics(Duration.ofNanos(SLOW));

	private final CallRecorder calls = this.metrics.calls(Side.CLIENT,
			ServiceDescriptor.of(Greeter.class).methods().get(0));

	private final TransportRecorder server = this.metrics.transport(Side.SERVER);

	@TempDir
	Path directory;

	public interface Greeter {

		String greet(String name);

		Iterator<String> greetings(int count);

	}

	private List<RecordedEvent> recorded(String event, Runnable work) throws Exception {
		Path file = Files.createTempFile(this.directory, "calls", ".jfr");
		try (Recording recording = new Recording()) {
			Stream.of("SlowCall", "Stream", "Connect", "ConnectionClosed")
				.map((each) -> "io.rpcboot." + each)
				.filter((each) -> !each.equals(event))
				.forEach(recording::disable);
			recording.start();
			work.run();
			recording.stop();
			recording.dump(file);
		}
		return RecordingFile.readAllEvents(file)
			.stream()
			.filter((each) -> each.getEventType().getName().startsWith("io.rpcboot."))
			.toList();
	}

	@Test
	void slowCalls_areRecorded_withoutArguments() throws Exception {
		List<RecordedEvent> events = recorded("io.rpcboot.SlowCall", () -> {
			this.calls.record(RpcStatus.OK, SLOW - 1, "10.0.0.1:9090");
			this.calls.record(RpcStatus.DEADLINE_EXCEEDED, SLOW, "10.0.0.1:9090");
			this.calls.record(RpcStatus.OK, new long[] { 5, SLOW + 7, 6, SLOW + 8 }, new long[] { 0, 3, 0, 0 }, 3,
					"10.0.0.2:9090");
			this.server.connectionOpened("10.0.0.9:5050", "shop", 1);
		});
		assertThat(events).hasSize(2);
		RecordedEvent failed = events.get(0);
		assertThat(failed.getString("side")).isEqualTo("CLIENT");
		assertThat(failed.getString("service")).isEqualTo(Greeter.class.getName());
		assertThat(failed.getString("method")).startsWith("greet(");
		assertThat(failed.getString("peer")).isEqualTo("10.0.0.1:9090");
		assertThat(failed.getString("status")).isEqualTo("DEADLINE_EXCEEDED");
		assertThat(failed.getDuration("took")).isEqualTo(Duration.ofNanos(SLOW));
		assertThat(events.get(1).getDuration("took")).isEqualTo(Duration.ofNanos(SLOW + 7));
		assertThat(events.get(1).getString("peer")).isEqualTo("10.0.0.2:9090");
	}

	private CallRecorder streams() {
		CallRecorder recorder = this.metrics.calls(Side.SERVER, ServiceDescriptor.of(Greeter.class).methods().get(1));
		return new TracedCallRecorder(recorder, "trace", null);
	}

	/** A feed lives for as long as it is wanted. */
	@Test
	void stream_isNoSlowCall_unlessItsFirstElementIsLate() throws Exception {
		List<RecordedEvent> events = recorded("io.rpcboot.SlowCall", () -> {
			CallRecorder streams = streams();
			streams.record(RpcStatus.OK, 1000 * SLOW, "10.0.0.1:9090");
			streams.record(RpcStatus.OK, new long[] { 1000 * SLOW }, new long[] { 0 }, 1, "10.0.0.1:9090");
			streams.streamEnded(new StreamEnd(RpcStatus.OK, 1000 * SLOW, "10.0.0.1:9090", 0, 0, 9, 90, SLOW - 1, null));
			streams.streamEnded(new StreamEnd(RpcStatus.CANCELLED, 1000 * SLOW, "10.0.0.1:9090", 0, 0, 0, 0, -1, null));
			streams.streamEnded(new StreamEnd(RpcStatus.OK, 1000 * SLOW, "10.0.0.1:9090", 0, 0, 9, 90, SLOW, null));
		});
		assertThat(events).singleElement().satisfies((event) -> {
			assertThat(event.getString("method")).isEqualTo("greetings(int)");
			assertThat(event.getDuration("took")).isEqualTo(Duration.ofNanos(SLOW));
			assertThat(event.getString("trace")).isEqualTo("trace");
		});
	}

	@Test
	void endOfStream_isRecorded_withWhatHasPassed() throws Exception {
		List<RecordedEvent> events = recorded("io.rpcboot.Stream", () -> {
			this.calls.record(RpcStatus.OK, 5, "10.0.0.1:9090");
			streams().streamEnded(new StreamEnd(RpcStatus.CANCELLED, 700, "10.0.0.1:9090", 1, 10, 2, 20, 300, null));
		});
		assertThat(events).singleElement().satisfies((event) -> {
			assertThat(event.getString("side")).isEqualTo("SERVER");
			assertThat(event.getString("service")).isEqualTo(Greeter.class.getName());
			assertThat(event.getString("status")).isEqualTo("CANCELLED");
			assertThat(event.getString("peer")).isEqualTo("10.0.0.1:9090");
			assertThat(event.getString("trace")).isEqualTo("trace");
			assertThat(event.getDuration("took")).isEqualTo(Duration.ofNanos(700));
			assertThat(event.getDuration("firstElement")).isEqualTo(Duration.ofNanos(300));
			assertThat(event.getLong("arguments")).isEqualTo(1);
			assertThat(event.getLong("argumentBytes")).isEqualTo(10);
			assertThat(event.getLong("results")).isEqualTo(2);
			assertThat(event.getLong("resultBytes")).isEqualTo(20);
		});
	}

	@Test
	void connects_areRecorded_withOutcome() throws Exception {
		List<RecordedEvent> events = recorded("io.rpcboot.Connect", () -> {
			this.server.connectionOpened("10.0.0.9:5050", "shop", 300);
			this.metrics.transport(Side.CLIENT).connectFailed("10.0.0.1:9090", "refused", 400);
			this.server.connectionClosed("10.0.0.9:5050", "shop", "closed by the client", 500);
		});
		assertThat(events).extracting((event) -> event.getString("side")).containsExactly("SERVER", "CLIENT");
		assertThat(events).extracting((event) -> event.getString("peer"))
			.containsExactly("10.0.0.9:5050", "10.0.0.1:9090");
		assertThat(events).allSatisfy((event) -> {
			assertThat(event.getEventType().getCategoryNames()).containsExactly("RPC");
			assertThat(event.getStackTrace()).isNull();
		});
		assertThat(events).extracting((event) -> event.getString("application")).containsExactly("shop", "");
		assertThat(events).extracting((event) -> event.getString("problem")).containsExactly("", "refused");
		assertThat(events).extracting((event) -> event.getDuration("took"))
			.containsExactly(Duration.ofNanos(300), Duration.ofNanos(400));
	}

	@Test
	void closedConnections_areRecorded_withReason() throws Exception {
		List<RecordedEvent> events = recorded("io.rpcboot.ConnectionClosed",
				() -> this.server.connectionClosed("10.0.0.9:5050", "shop", "closed by the client", 500));
		assertThat(events).hasSize(1);
		assertThat(events.get(0).getString("reason")).isEqualTo("closed by the client");
		assertThat(events.get(0).getString("peer")).isEqualTo("10.0.0.9:5050");
		assertThat(events.get(0).getDuration("lasted")).isEqualTo(Duration.ofNanos(500));
	}

	@Test
	void gauges_areIgnoredAndNegativeThresholdIsRejected() throws Exception {
		this.metrics.gauge(Gauge.PENDING, () -> {
			throw new IllegalStateException("read on purpose");
		}).close();
		assertThat(new JfrRpcMetrics(Duration.ofSeconds(Long.MAX_VALUE)).isNone()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> new JfrRpcMetrics(Duration.ofNanos(-1)))
			.withMessage("slowCall: PT-0.000000001S (expected: 0 or more)");
	}

}
