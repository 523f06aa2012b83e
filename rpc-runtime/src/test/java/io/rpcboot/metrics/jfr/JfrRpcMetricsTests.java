package io.rpcboot.metrics.jfr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.Side;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics.Gauge;
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

	}

	private List<RecordedEvent> recorded(String event, Runnable work) throws Exception {
		Path file = Files.createTempFile(this.directory, "calls", ".jfr");
		try (Recording recording = new Recording()) {
			Stream.of("SlowCall", "Connect", "ConnectionClosed")
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
