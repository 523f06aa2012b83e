package io.rpcboot.engine.stream;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.MethodDescriptor;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.Side;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.stream.Feeds.Failure;
import io.rpcboot.engine.stream.Feeds.Tick;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.metrics.CallRecorder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.metrics.StreamEnd;
import io.rpcboot.metrics.TransportRecorder;
import io.rpcboot.metrics.micrometer.MicrometerRpcMetrics;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.adapter.JdkFlowAdapter;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Meters of the elements of streams, on both sides. */
@Timeout(60)
class StreamMetersIntegrationTests {

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	private final Queue<String> ends = new ConcurrentLinkedQueue<>();

	private RpcServer server;

	private RpcClient client;

	private Feeds feeds;

	private Uploads uploads;

	@BeforeEach
	void start() {
		RpcMetrics metrics = RpcMetrics
			.all(List.of(new MicrometerRpcMetrics(this.registry), other(), new Ends(this.ends)));
		this.server = RpcServer.builder()
			.port(0)
			.metrics(metrics)
			.service(Feeds.class, new FeedsImpl())
			.service(Uploads.class, new UploadsImpl())
			.start();
		this.client = RpcClient.builder().metrics(metrics).build();
		ReferenceOptions grpc = ReferenceStates.at(this.server).withProtocol(Protocol.GRPC);
		this.feeds = this.client.reference(Feeds.class, grpc);
		this.uploads = this.client.reference(Uploads.class, grpc);
	}

	/** Metrics beside others are called through a chain. */
	private static RpcMetrics other() {
		return new MicrometerRpcMetrics(new SimpleMeterRegistry());
	}

	/** Notes the ends of streams. */
	private record Ends(Queue<String> ends) implements RpcMetrics {

		@Override
		public CallRecorder calls(Side side, MethodDescriptor method) {
			return new CallRecorder() {

				@Override
				public void record(RpcStatus status, long nanos, String peer) {
					// another test has them
				}

				@Override
				public void streamEnded(StreamEnd end) {
					assertThat(end.nanos()).isGreaterThanOrEqualTo(end.firstNanos()).isPositive();
					assertThat(end.peer()).startsWith("127.0.0.1:");
					Ends.this.ends.add("%s %s %s %d/%d%s".formatted(side, method.name(), end.status(), end.arguments(),
							end.results(), (end.firstNanos() > 0) ? " first" : ""));
				}

			};
		}

		@Override
		public TransportRecorder transport(Side side) {
			return new TransportRecorder() {
			};
		}

		@Override
		public AutoCloseable gauge(Gauge level, String subject, LongSupplier value) {
			return () -> {
			};
		}

	}

	private void awaitEnds(String client, String server) {
		Eventually.until("both sides have told the end", () -> this.ends.size() == 2);
		assertThat(this.ends).containsExactlyInAnyOrder("CLIENT " + client, "SERVER " + server);
		this.ends.clear();
	}

	@Test
	void endOfStream_isReportedOnce_onBothSides() {
		assertThat(this.feeds.flux(40).count().block()).isEqualTo(40);
		awaitEnds("flux OK 0/40 first", "flux OK 0/40 first");
		assertThat(this.uploads.sum(JdkFlowAdapter.publisherToFlowPublisher(Flux.range(0, 30).map(Tick::of))))
			.isEqualTo(435);
		awaitEnds("sum OK 30/0", "sum OK 30/0");
		assertThatThrownBy(() -> this.feeds.failing(7, Failure.STATUS).blockLast()).isInstanceOf(RpcException.class);
		awaitEnds("failing NOT_FOUND 0/7 first", "failing NOT_FOUND 0/7 first");
		this.feeds.silent().subscribe().dispose();
		Eventually.until("the client has told the end", () -> !this.ends.isEmpty());
		assertThat(this.ends).contains("CLIENT silent CANCELLED 0/0");
	}

	@AfterEach
	void stop() {
		this.client.close();
		this.server.close();
	}

	private double count(String meter, String method, String direction) {
		FunctionCounter found = this.registry.find(meter)
			.tag("method", method)
			.tag("protocol", "grpc")
			.tag("direction", direction)
			.functionCounter();
		return (found != null) ? found.count() : -1;
	}

	private void awaitElements(String side, String method, int arguments, int results) {
		String meter = "rpc." + side + ".streams.elements";
		Eventually.until(meter + " of " + method,
				() -> count(meter, method, "argument") == arguments && count(meter, method, "result") == results);
	}

	private Timer first(String side, String method) {
		return this.registry.get("rpc." + side + ".streams.first").tag("method", method).timer();
	}

	@Test
	void feed_countsElementsBytesAndFirst() {
		assertThat(this.feeds.blobs(500, 1000).count().block()).isEqualTo(500);
		String method = "blobs(int,int)";
		for (String side : List.of("client", "server")) {
			awaitElements(side, method, 0, 500);
			assertThat(first(side, method).count()).isOne();
			assertThat(first(side, method).totalTime(TimeUnit.NANOSECONDS)).isPositive();
			assertThat(count("rpc." + side + ".calls.bytes", method, "result")).isBetween(500_000.0, 510_000.0);
		}
	}

	@Test
	void elementsOfOpenStream_areCountedBeforeItsEnd() {
		var open = this.feeds.endless().subscribe();
		Eventually.until("elements are counted", () -> count("rpc.server.streams.elements", "endless()", "result") > 5
				&& count("rpc.client.streams.elements", "endless()", "result") > 5);
		assertThat(this.registry.get("rpc.client.streams").gauge().value()).isOne();
		assertThat(this.registry.get("rpc.server.streams").gauge().value()).isOne();
		open.dispose();
		Eventually.until("the stream has ended", () -> this.registry.get("rpc.client.streams").gauge().value() == 0
				&& this.registry.get("rpc.server.streams").gauge().value() == 0);
	}

	@Test
	void upload_countsArguments_andNoFirstElement() {
		assertThat(this.uploads.bytes(Flux.range(0, 300).map((each) -> new byte[1000])).join()).isEqualTo(300_000);
		String method = this.registry.get("rpc.client.streams.elements").functionCounter().getId().getTag("method");
		assertThat(method).startsWith("bytes(");
		for (String side : List.of("client", "server")) {
			awaitElements(side, method, 300, 0);
			assertThat(first(side, method).count()).isZero();
			Eventually.until("bytes of " + side, () -> count("rpc." + side + ".calls.bytes", method, "result") > 0);
			assertThat(count("rpc." + side + ".calls.bytes", method, "argument")).isBetween(300_000.0, 306_000.0);
		}
	}

	@Test
	void bothDirections_areCounted() {
		assertThat(this.uploads.echo(Flux.range(0, 40).map(Tick::of)).count().block()).isEqualTo(40);
		String method = this.registry.get("rpc.client.streams.elements").functionCounter().getId().getTag("method");
		awaitElements("client", method, 40, 40);
		awaitElements("server", method, 40, 40);
	}

	@Test
	void singleCall_hasNoMetersOfStreams() {
		assertThat(this.feeds.echo("x")).isEqualTo("x");
		assertThat(this.registry.find("rpc.client.streams.elements").meters()).isEmpty();
		assertThat(this.registry.find("rpc.server.streams.elements").meters()).isEmpty();
	}

}
