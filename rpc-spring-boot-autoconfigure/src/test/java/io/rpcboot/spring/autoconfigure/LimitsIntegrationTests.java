package io.rpcboot.spring.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.transport.ConnectionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What the properties do that bound a client and a server. */
@Timeout(60)
class LimitsIntegrationTests {

	private static final long MIB = 1024 * 1024;

	/** Two connections: the first is promised all there is, the second its least part. */
	@Test
	void bytesInFlightAreSharedByAllConnections() {
		assertThat(grantedBytes("1MB")).containsExactly(64 * 1024L, MIB);
		assertThat(grantedBytes("0")).as("a part of the heap").containsExactly(MIB, MIB);
	}

	private static List<Long> grantedBytes(String inFlightBytes) {
		try (ConfigurableApplicationContext context = run(
				Map.of("rpc.server.limits.in-flight-bytes", inFlightBytes, "rpc.client.connections-per-endpoint", 2))) {
			RpcServer server = context.getBean(RpcServer.class);
			assertThat(Applications.eventually(() -> server.connections().size() == 2
					&& server.connections().stream().allMatch((connection) -> connection.grantedBytes() > 0)))
				.isTrue();
			return server.connections().stream().map(ConnectionInfo::grantedBytes).sorted().toList();
		}
	}

	@Test
	void aClientWithoutRoomLetsItsCallersWait() throws Exception {
		try (ConfigurableApplicationContext context = run(Map.of("rpc.client.max-pending-calls", 1))) {
			Desk desk = context.getBean(Caller.class).desk;
			CompletableFuture<String> first = desk.signLater("first");
			CompletableFuture<CompletableFuture<String>> second = new CompletableFuture<>();
			Thread caller = new Thread(() -> second.complete(desk.signLater("second")));
			caller.start();
			assertThat(Applications.eventually(() -> caller.getState() == Thread.State.TIMED_WAITING)).isTrue();
			assertThat(second).isNotDone();
			context.getBean(DeskService.class).gate.complete("signed");
			assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("signed first");
			assertThat(second.get(10, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS)).isEqualTo("signed second");
		}
	}

	@Test
	void aClientWithoutRoomQueuesOrFailsWhenTold() throws Exception {
		try (ConfigurableApplicationContext context = run(
				Map.of("rpc.client.max-pending-calls", 1, "rpc.client.when-full", "queue"))) {
			Desk desk = context.getBean(Caller.class).desk;
			CompletableFuture<String> first = desk.signLater("first");
			CompletableFuture<String> second = desk.signLater("second");
			assertThat(context.getBean(RpcClient.class).queuedCalls()).isOne();
			assertFull(desk.signLater("third"));
			context.getBean(DeskService.class).gate.complete("signed");
			assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("signed first");
			assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("signed second");
		}
		try (ConfigurableApplicationContext context = run(
				Map.of("rpc.client.max-pending-calls", 1, "rpc.client.when-full", "fail"))) {
			Desk desk = context.getBean(Caller.class).desk;
			desk.signLater("first");
			assertFull(desk.signLater("second"));
		}
	}

	private static void assertFull(CompletableFuture<String> call) {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(10, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED))
			.withMessageContaining("max-pending-calls");
	}

	private static ConfigurableApplicationContext run(Map<String, Object> properties) {
		return Applications.run(WebApplicationType.NONE, properties, DeskService.class, Caller.class);
	}

	/** A contract. */
	public interface Desk {

		CompletableFuture<String> signLater(String name);

	}

	@RpcService
	static class DeskService implements Desk {

		private final CompletableFuture<String> gate = new CompletableFuture<>();

		@Override
		public CompletableFuture<String> signLater(String name) {
			return this.gate.thenApply((signed) -> signed + " " + name);
		}

	}

	static class Caller {

		@RpcReference
		private Desk desk;

	}

}
