package io.rpcboot.engine.routing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceInfo.State;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.resilience.RoutingOptions;
import io.rpcboot.server.InstanceOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/** State of an instance that both protocols of a reference share. */
@Timeout(120)
class SharedInstanceStateIntegrationTests {

	/** A method for each protocol. */
	public interface Both {

		int single();

		Flux<Integer> stream();

	}

	/** An instance that fails in one protocol. */
	private final class Instance implements Both {

		private final AtomicInteger singles = new AtomicInteger();

		private final AtomicInteger streams = new AtomicInteger();

		private volatile boolean failsSingle;

		private volatile boolean failsStream;

		private final RpcServer server;

		Instance(InstanceOptions options) {
			this.server = RpcServer.builder()
				.port(0)
				.bindAddress("127.0.0.1")
				.applicationName("shop")
				.registry(SharedInstanceStateIntegrationTests.this.registry)
				.instance(options)
				.service(Both.class, this)
				.start();
			SharedInstanceStateIntegrationTests.this.instances.add(this);
		}

		@Override
		public int single() {
			this.singles.incrementAndGet();
			if (this.failsSingle) {
				throw new IllegalStateException("sick");
			}
			return this.server.port();
		}

		@Override
		public Flux<Integer> stream() {
			this.streams.incrementAndGet();
			return this.failsStream ? Flux.error(new IllegalStateException("sick")) : Flux.just(this.server.port());
		}

	}

	private final InMemoryRegistry registry = new InMemoryRegistry();

	private final List<Instance> instances = new ArrayList<>();

	private final RpcClient client = RpcClient.builder()
		.registry(this.registry)
		.loadBalancer(RandomLoadBalancer::new)
		.build();

	@AfterEach
	void close() {
		this.client.close();
		this.instances.forEach((each) -> each.server.close());
		this.registry.close();
	}

	private Both reference() {
		ResilienceOptions resilience = ResilienceOptions.defaults()
			.withRouting(RoutingOptions.defaults().withSlowStart(Duration.ZERO))
			.withRetry(RetryOptions.defaults().withMaxAttempts(1));
		Both made = this.client.reference(Both.class, ReferenceOptions.defaults().withResilience(resilience));
		for (Protocol each : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			Eventually.until(each + " is ready at all", () -> {
				stream(made);
				return this.client.references()
					.stream()
					.filter((reference) -> reference.protocol() == each)
					.flatMap((reference) -> reference.instances().stream())
					.filter((instance) -> instance.state() == State.READY)
					.count() == this.instances.size();
			});
		}
		return made;
	}

	private static void single(Both remote) {
		try {
			remote.single();
		}
		catch (RpcException ex) {
			// the sick one
		}
	}

	private static void stream(Both remote) {
		try {
			remote.stream().blockLast();
		}
		catch (RpcException ex) {
			// the sick one
		}
	}

	private State stateAt(Instance instance, Protocol protocol) {
		return at(instance, protocol).state();
	}

	private ReferenceInfo.Instance at(Instance instance, Protocol protocol) {
		return this.client.references()
			.stream()
			.filter((each) -> each.protocol() == protocol)
			.flatMap((each) -> each.instances().stream())
			.filter((each) -> each.endpoint().port() == instance.server.port())
			.findFirst()
			.orElseThrow();
	}

	@Test
	void failingStreams_leaveOutInstance_forNativeCalls() {
		Instance sick = new Instance(InstanceOptions.defaults());
		Instance well = new Instance(InstanceOptions.defaults());
		Both remote = reference();
		sick.failsStream = true;
		Eventually.until("native calls leave it out", () -> {
			stream(remote);
			if (stateAt(sick, Protocol.NATIVE) != State.EJECTED) {
				return false;
			}
			int before = sick.singles.get();
			for (int i = 0; i < 20; i++) {
				single(remote);
			}
			return sick.singles.get() == before && stateAt(sick, Protocol.NATIVE) == State.EJECTED
					&& at(sick, Protocol.NATIVE).problem().contains("found by its calls over protocol grpc");
		});
		assertThat(stateAt(well, Protocol.NATIVE)).isEqualTo(State.READY);
		sick.failsStream = false;
		Eventually.until("it is back for both", () -> {
			stream(remote);
			single(remote);
			return stateAt(sick, Protocol.NATIVE) == State.READY && stateAt(sick, Protocol.GRPC) == State.READY;
		});
	}

	@Test
	void failingNativeCalls_leaveOutInstance_forStreams() {
		Instance sick = new Instance(InstanceOptions.defaults());
		new Instance(InstanceOptions.defaults());
		Both remote = reference();
		sick.failsSingle = true;
		Eventually.until("streams leave it out", () -> {
			single(remote);
			if (stateAt(sick, Protocol.GRPC) != State.EJECTED) {
				return false;
			}
			int before = sick.streams.get();
			for (int i = 0; i < 20; i++) {
				stream(remote);
			}
			return sick.streams.get() == before && stateAt(sick, Protocol.GRPC) == State.EJECTED;
		});
	}

	@Test
	void drainOfInstance_isKnown_toBothProtocols() {
		Instance leaving = new Instance(InstanceOptions.defaults());
		Instance staying = new Instance(InstanceOptions.defaults());
		Both remote = reference();
		leaving.server.close();
		int singles = leaving.singles.get();
		int streams = leaving.streams.get();
		for (int i = 0; i < 50; i++) {
			assertThat(remote.single()).isEqualTo(staying.server.port());
			assertThat(remote.stream().blockLast()).isEqualTo(staying.server.port());
		}
		assertThat(leaving.singles).hasValue(singles);
		assertThat(leaving.streams).hasValue(streams);
	}

	@Test
	void lostHttp2Connection_leavesNativeCallsUntouched() throws Exception {
		Instance only = new Instance(InstanceOptions.defaults());
		try (Wire wire = new Wire(only.server.port())) {
			Both remote = this.client.reference(Both.class, ReferenceStates.at(wire.port()));
			assertThat(remote.stream().blockLast()).isEqualTo(only.server.port());
			assertThat(remote.single()).isEqualTo(only.server.port());
			String nativePeer = peers(only, Protocol.NATIVE).get(0);
			wire.cutHttp2();
			for (int i = 0; i < 50; i++) {
				assertThat(remote.single()).isEqualTo(only.server.port());
			}
			assertThat(remote.stream().blockLast()).isEqualTo(only.server.port());
			assertThat(peers(only, Protocol.NATIVE)).containsExactly(nativePeer);
		}
	}

	private static List<String> peers(Instance instance, Protocol protocol) {
		return instance.server.connections()
			.stream()
			.filter((each) -> each.protocol() == protocol)
			.map(ConnectionInfo::remote)
			.toList();
	}

	/**
	 * Passes bytes on to a server, and cuts connections of HTTP/2, which begin with P.
	 */
	private static final class Wire implements AutoCloseable {

		private final ServerSocket accepting = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

		private final List<Socket> http2 = new CopyOnWriteArrayList<>();

		private final List<Socket> all = new CopyOnWriteArrayList<>();

		Wire(int port) throws IOException {
			daemon(() -> {
				while (true) {
					Socket client = this.accepting.accept();
					Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
					this.all.addAll(List.of(client, server));
					daemon(() -> {
						int first = client.getInputStream().read();
						if (first == 'P') {
							this.http2.addAll(List.of(client, server));
						}
						server.getOutputStream().write(first);
						client.getInputStream().transferTo(server.getOutputStream());
					});
					daemon(() -> server.getInputStream().transferTo(client.getOutputStream()));
				}
			});
		}

		private interface Task {

			void run() throws IOException;

		}

		private static void daemon(Task task) {
			Thread thread = new Thread(() -> {
				try {
					task.run();
				}
				catch (IOException ex) {
					// a socket was closed
				}
			});
			thread.setDaemon(true);
			thread.start();
		}

		int port() {
			return this.accepting.getLocalPort();
		}

		void cutHttp2() throws IOException {
			assertThat(this.http2).isNotEmpty();
			for (Socket each : this.http2) {
				each.close();
			}
		}

		@Override
		public void close() throws IOException {
			this.accepting.close();
			for (Socket each : this.all) {
				each.close();
			}
		}

	}

}
