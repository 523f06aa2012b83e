package io.rpcboot.engine.broadcast;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.MethodDescriptor.Style;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.BroadcastReport;
import io.rpcboot.client.BroadcastReport.Reply;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.engine.fixture.Ports;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.SilentRegistry;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests interceptors, call options, context and fallbacks of broadcasts. */
@Timeout(60)
class BroadcastContextIntegrationTests {

	/** What instances offer. */
	public interface Cache {

		String evict(String key);

	}

	/** Has others evict, too. */
	public interface Desk {

		String evictEverywhere();

	}

	/** An instance; one that stops there until it is let go, and fails then. */
	private record Instance(CountDownLatch told, CountDownLatch released, Queue<String> seen,
			boolean stops) implements Cache {

		@Override
		public String evict(String key) {
			RpcContext call = RpcContext.current();
			this.seen.add(key + " of " + call.attachments().get("tenant"));
			if (this.stops) {
				call.onCancel(this.told::countDown);
				try {
					this.released.await();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
				throw new IllegalStateException("given up");
			}
			return "evicted " + key;
		}

	}

	/** The one that stops was told that its call is over. */
	private final CountDownLatch told = new CountDownLatch(1);

	private final CountDownLatch released = new CountDownLatch(1);

	private final Queue<String> seen = new ConcurrentLinkedQueue<>();

	private final RpcServer quick = server(false);

	private final RpcServer stopping = server(true);

	private RpcClient client;

	private RpcServer server(boolean stops) {
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(Cache.class, new Instance(this.told, this.released, this.seen, stops))
			.start();
	}

	@AfterEach
	void close() {
		this.released.countDown();
		Eventually.until("no call is pending", () -> this.client.pendingCalls() == 0);
		this.client.close();
		this.quick.close();
		this.stopping.close();
	}

	private Cache reference(ReferenceOptions options, RpcClientInterceptor... interceptors) {
		RpcClientBuilder builder = RpcClient.builder();
		List.of(interceptors).forEach(builder::interceptor);
		this.client = builder.build();
		Cache cache = this.client.reference(Cache.class, options.withEndpoints(
				new Endpoint("127.0.0.1", this.quick.port()), new Endpoint("127.0.0.1", this.stopping.port())));
		Eventually.until("both are connected", () -> ReferenceStates.ready(this.client) == 2);
		return cache;
	}

	@Test
	void interceptor_seesEachCall_duringBroadcast() {
		this.released.countDown();
		Queue<String> log = new ConcurrentLinkedQueue<>();
		Cache cache = reference(ReferenceOptions.defaults(), (call) -> {
			assertThat(call.method().style()).isEqualTo(Style.FUTURE);
			Endpoint where = call.endpoint();
			call.arguments()[0] += "!";
			call.attachments().put("tenant", "acme");
			call.onEnd((outcome) -> log.add(where.port() + " " + outcome.status()));
			Object result = call.proceed();
			return ((CompletableFuture<?>) result).thenApply((value) -> value + "?");
		});
		BroadcastReport<String> report = Broadcast.to(cache).call((each) -> each.evict("a7"));
		assertThat(report.values()).containsExactly("evicted a7!?");
		assertThat(report.failures()).extracting(Reply::status).containsExactly(RpcStatus.APPLICATION);
		assertThat(log).containsExactlyInAnyOrder(this.quick.port() + " OK", this.stopping.port() + " APPLICATION");
		assertThat(this.seen).containsExactly("a7! of acme", "a7! of acme");
	}

	/** They answer for single instances, by a value or by an exception. */
	@Test
	void interceptor_answersCall_withoutServer() {
		Cache cache = reference(ReferenceOptions.defaults(), (call) -> {
			if (call.endpoint().port() == this.quick.port()) {
				return "by itself";
			}
			throw new RpcException(RpcStatus.PERMISSION_DENIED, "not there", false);
		});
		BroadcastReport<String> report = Broadcast.to(cache).call((each) -> each.evict("a7"));
		assertThat(report.values()).containsExactly("by itself");
		assertThat(report.failures()).extracting(Reply::status).containsExactly(RpcStatus.PERMISSION_DENIED);
		assertThat(this.seen).isEmpty();
	}

	@Test
	void broadcast_reportsFailures_withFallbackConfigured() throws Exception {
		Cache fallback = (key) -> "made up";
		this.client = RpcClient.builder().build();
		Cache cache = this.client.reference(Cache.class,
				ReferenceStates.at(this.quick.port(), Ports.free()).withFallback(() -> fallback));
		Eventually.until("one is connected", () -> ReferenceStates.ready(this.client) == 1);
		BroadcastReport<String> report = Broadcast.to(cache).call((each) -> each.evict("a7"));
		assertThat(report.replies()).extracting(Reply::status).containsExactly(RpcStatus.OK, RpcStatus.UNAVAILABLE);
	}

	@Test
	void callOptions_applyToEachCallOfBroadcast() throws Exception {
		Cache cache = reference(ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(50)));
		BroadcastReport<String> report = CallOptions.with("tenant", "acme")
			.timeout(Duration.ofSeconds(2))
			.call(() -> Broadcast.to(cache).call((each) -> each.evict("a7")));
		assertThat(report.replies()).extracting(Reply::status)
			.containsExactly(RpcStatus.OK, RpcStatus.DEADLINE_EXCEEDED);
		assertThat(this.seen).containsExactly("a7 of acme", "a7 of acme");
	}

	/** The calls begin on another thread, once the registry has named the instance. */
	@Test
	void callOptions_applyToBroadcast_thatWaitsForFirstInstance() throws Exception {
		SilentRegistry registry = new SilentRegistry();
		this.client = RpcClient.builder().registry(registry).waitForInstance(Duration.ofMinutes(10)).build();
		Cache cache = this.client.reference(Cache.class);
		CompletableFuture<BroadcastReport<String>> report = CallOptions.with("tenant", "acme")
			.call(() -> Broadcast.to(cache).callLater((each) -> each.evict("a7")));
		assertThat(report).isNotDone();
		registry.speak(this.quick);
		assertThat(report.get(30, TimeUnit.SECONDS).values()).containsExactly("evicted a7");
		assertThat(this.seen).containsExactly("a7 of acme");
	}

	/** Who gives up the call for which they are made ends them. */
	@Test
	void broadcastCalls_end_withEnclosingServerCall() throws Exception {
		Cache cache = reference(ReferenceOptions.defaults().withTimeout(Duration.ofSeconds(50)));
		CompletableFuture<BroadcastReport<String>> made = new CompletableFuture<>();
		Desk desk = () -> {
			made.complete(Broadcast.to(cache).call((each) -> each.evict("a7")));
			return "";
		};
		try (RpcServer server = RpcServer.builder().port(0).service(Desk.class, desk).start();
				RpcClient person = RpcClient.builder().build()) {
			Desk remote = person.reference(Desk.class, ReferenceStates.at(server).withTimeout(Duration.ofSeconds(2)));
			try {
				remote.evictEverywhere();
			}
			catch (RpcException ex) {
				assertThat(ex.status()).isEqualTo(RpcStatus.DEADLINE_EXCEEDED);
			}
			assertThat(made.get(10, TimeUnit.SECONDS).values()).containsExactly("evicted a7");
			assertThat(this.told.await(10, TimeUnit.SECONDS)).as("its server was told").isTrue();
		}
	}

}
