package io.rpcboot.engine.routing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.engine.fixture.Calls;
import io.rpcboot.engine.fixture.CallsImpl;
import io.rpcboot.engine.fixture.Load;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.engine.fixture.ServerProcess;
import io.rpcboot.engine.fixture.peer.Peer;
import io.rpcboot.engine.fixture.peer.RawReplies;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.Failure;
import io.rpcboot.internal.protocol.binary.FrameHeader;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.loadbalance.Candidates;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.loadbalance.RandomLoadBalancer;
import io.rpcboot.loadbalance.RoundRobinLoadBalancer;
import io.rpcboot.server.RpcServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests load balancers with real servers: the candidates' load is enough to choose well.
 */
@Timeout(60)
class LoadBalancingIntegrationTests {

	private static final int THREADS = 8;

	private static final int CALLS = 1000;

	private static final long SLOW_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

	/** Of two instances the one where a call is likely to end first. */
	private static final class LeastLoaded implements LoadBalancer {

		@Override
		public int choose(Candidates candidates) {
			ThreadLocalRandom random = ThreadLocalRandom.current();
			int one = random.nextInt(candidates.size());
			int other = random.nextInt(candidates.size() - 1);
			other += (other >= one) ? 1 : 0;
			if (candidates.wasTried(one) != candidates.wasTried(other)) {
				return candidates.wasTried(one) ? other : one;
			}
			return (cost(candidates, one) <= cost(candidates, other)) ? one : other;
		}

		private static double cost(Candidates candidates, int index) {
			double calls = 1 + candidates.pendingCalls(index);
			return calls * Math.max(1, candidates.latencyNanos(index)) / candidates.weight(index);
		}

	}

	/** Chooses one instance for first attempts, the other for later ones, and looks. */
	private static final class Watch implements LoadBalancer {

		final Queue<String> choices = new ConcurrentLinkedQueue<>();

		final int watchedPort;

		volatile boolean choosesWatched;

		volatile double failures = -1;

		volatile int pending = -1;

		Watch(int watchedPort) {
			this.watchedPort = watchedPort;
		}

		@Override
		public int choose(Candidates candidates) {
			int watched = (candidates.instance(0).endpoint().port() == this.watchedPort) ? 0 : 1;
			this.failures = candidates.recentFailures(watched);
			this.pending = candidates.pendingCalls(watched);
			int chosen = (this.choosesWatched && !candidates.wasTried(watched)) ? watched : 1 - watched;
			this.choices.add("%s, attempt %d: %s".formatted(candidates.method().name(), candidates.attempt(),
					(chosen == watched) ? "watched" : "other"));
			return chosen;
		}

	}

	/** A server that does what it is told to. */
	private static final class Puppet implements AutoCloseable {

		final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

		Puppet() throws IOException {
			this.listener.setSoTimeout(10_000);
		}

		Peer accept() throws IOException {
			Peer peer = new Peer(this.listener.accept());
			Received bind = peer.read(FrameType.BIND);
			peer.frame(FrameType.BIND_REPLY, 0, 0, bind.code(), RawReplies.bound());
			return peer;
		}

		@Override
		public void close() throws IOException {
			this.listener.close();
		}

	}

	private static RpcServer server(Calls implementation) {
		return RpcServer.builder().port(0).bindAddress("127.0.0.1").service(Calls.class, implementation).start();
	}

	private static RpcClient client(Supplier<LoadBalancer> balancer) {
		return RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.backoff(Duration.ofMillis(10), Duration.ofMillis(50))
			.loadBalancer(balancer)
			.build();
	}

	/** Returns the share of the calls that the slow one of two servers got. */
	private static double shareOfSlowServer(Supplier<LoadBalancer> balancer) {
		ServerProcess.SlowCalls slow = new ServerProcess.SlowCalls(SLOW_NANOS);
		CallsImpl fast = new CallsImpl();
		try (RpcServer first = server(slow); RpcServer second = server(fast); RpcClient client = client(balancer)) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(first.port(), second.port()));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			try (Load load = new Load(THREADS, (number) -> calls.greet("x"))) {
				load.awaitMore(CALLS);
				load.stop();
				assertThat(load.failures()).isEmpty();
				return 1 - (double) fast.executed.get() / load.succeeded();
			}
		}
	}

	@Test
	void loadAwareBalancer_avoidsSlowServer() {
		assertThat(shareOfSlowServer(RandomLoadBalancer::new)).isBetween(0.35, 0.65);
		assertThat(shareOfSlowServer(LeastLoaded::new)).isLessThan(0.1);
	}

	/**
	 * The default balancer compares latencies, which differ by chance between equal
	 * instances. The machine may hold up one of them, so that any window may show it.
	 */
	@Test
	void equalServers_getEqualShares_byDefault() {
		CallsImpl one = new CallsImpl();
		CallsImpl other = new CallsImpl();
		try (RpcServer first = server(one);
				RpcServer second = server(other);
				RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(20)).build()) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(first.port(), second.port()));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			try (Load load = new Load(2, (number) -> calls.greet("x"))) {
				Eventually.until("shares differ by less than 5 %", Duration.ofSeconds(40), () -> {
					double before = one.executed.get();
					double otherBefore = other.executed.get();
					load.awaitMore(10_000);
					double shares = (one.executed.get() - before) / (other.executed.get() - otherBefore);
					return shares > 0.95 && shares < 1.05;
				});
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

	/** Neither ejection nor health notices it, because either may be the sick one. */
	@Test
	void slowServerOfTwo_isReported_withLatenciesOfBoth() {
		try (RpcServer slow = server(new ServerProcess.SlowCalls(SLOW_NANOS));
				RpcServer fast = server(new CallsImpl());
				RpcClient client = client(RoundRobinLoadBalancer::new)) {
			Calls calls = client.reference(Calls.class, ReferenceStates.at(slow.port(), fast.port()));
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			try (Load load = new Load(1, (number) -> calls.greet("x"))) {
				Eventually.until("the slow one is named", Duration.ofSeconds(40),
						() -> !instance(client, slow).slowness().isEmpty());
				ReferenceInfo.Calls ofSlow = instance(client, slow).calls();
				ReferenceInfo.Calls ofFast = instance(client, fast).calls();
				assertThat(ofSlow).isNotNull();
				assertThat(ofFast).isNotNull();
				assertThat(ofSlow.p50Nanos()).isGreaterThan(SLOW_NANOS * 9 / 10).isGreaterThan(ofFast.p50Nanos());
				assertThat(ofSlow.failures()).isEmpty();
				assertThat(ofSlow.ended()).isPositive();
				assertThat(instance(client, fast).slowness()).isEmpty();
				assertThat(ReferenceStates.ready(client)).as("a report is no ejection").isEqualTo(2);
				load.stop();
				assertThat(load.failures()).isEmpty();
			}
		}
	}

	private static ReferenceInfo.Instance instance(RpcClient client, RpcServer server) {
		return client.references()
			.get(0)
			.instances()
			.stream()
			.filter((each) -> each.endpoint().port() == server.port())
			.findFirst()
			.orElseThrow();
	}

	@Test
	void loadBalancer_seesRefusalAndAttempt_whenCallIsResent() throws Exception {
		try (Puppet puppet = new Puppet(); RpcServer server = server(new CallsImpl())) {
			Watch watch = new Watch(puppet.listener.getLocalPort());
			try (RpcClient client = client(() -> watch)) {
				Calls calls = client.reference(Calls.class, ReferenceStates.at(watch.watchedPort, server.port()));
				try (Peer peer = puppet.accept()) {
					Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
					watch.choosesWatched = true;
					CompletableFuture<String> answer = calls.later("x");
					long id = peer.read(FrameType.REQUEST).callId();
					peer.frame(FrameType.RESPONSE, FrameHeader.FLAG_NOT_EXECUTED, RpcStatus.UNAVAILABLE.code(), id,
							new Failure("not now", "").encode());
					assertThat(answer.get(20, TimeUnit.SECONDS)).isEqualTo("later x");
					assertThat(watch.choices).containsExactly("later, attempt 0: watched", "later, attempt 1: other");
					assertThat(watch.failures).as("the refusal").isBetween(0.01, 1.0);
					assertThat(watch.pending).isZero();
				}
			}
		}
	}

	@Test
	void timeouts_countAsFailuresOfInstance() throws Exception {
		try (Puppet puppet = new Puppet(); RpcServer server = server(new CallsImpl())) {
			Watch watch = new Watch(puppet.listener.getLocalPort());
			try (RpcClient client = client(() -> watch)) {
				Calls calls = client.reference(Calls.class, ReferenceStates.at(watch.watchedPort, server.port()));
				try (Peer peer = puppet.accept()) {
					Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
					watch.choosesWatched = true;
					CompletableFuture<String> silent = calls.laterAtGate("x");
					assertThatExceptionOfType(RpcException.class).isThrownBy(() -> calls.waitForGateBriefly("x"));
					watch.choosesWatched = false;
					assertThat(peer.read(FrameType.CANCEL).callId()).isEqualTo(2);
					Eventually.until("the timeout is seen", () -> {
						calls.greet("x");
						return watch.failures > 0;
					});
					assertThat(watch.pending).as("the other call").isEqualTo(1);
					silent.cancel(true);
					Eventually.until("the cancel is seen", () -> {
						calls.greet("x");
						return watch.pending == 0;
					});
					assertThat(watch.failures).as("a cancelled call is no failure").isLessThanOrEqualTo(1);
				}
			}
		}
	}

	@Test
	void lostCalls_countAsFailures_afterReconnect() throws Exception {
		try (Puppet puppet = new Puppet(); RpcServer server = server(new CallsImpl())) {
			Watch watch = new Watch(puppet.listener.getLocalPort());
			try (RpcClient client = client(() -> watch)) {
				Calls calls = client.reference(Calls.class, ReferenceStates.at(watch.watchedPort, server.port()));
				loseCall(puppet, client, calls, watch);
				watch.failures = -1;
				try (Peer next = puppet.accept()) {
					Eventually.until("the new connection takes part", () -> {
						calls.greet("x");
						return watch.failures >= 0;
					});
					assertThat(watch.failures).isBetween(0.01, 1.0);
					assertThat(next.socket.isClosed()).isFalse();
				}
			}
		}
	}

	private static void loseCall(Puppet puppet, RpcClient client, Calls calls, Watch watch) throws Exception {
		CompletableFuture<String> lost;
		try (Peer peer = puppet.accept()) {
			Eventually.until("both are connected", () -> ReferenceStates.ready(client) == 2);
			watch.choosesWatched = true;
			lost = calls.later("x");
			peer.read(FrameType.REQUEST);
			watch.choosesWatched = false;
		}
		assertThat(lost).failsWithin(Duration.ofSeconds(20))
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("may have executed");
	}

}
