package io.rpcboot.spring.autoconfigure.server;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import io.rpcboot.transport.ConnectionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests the properties that limit a client and a server. */
@Timeout(60)
class LimitsIntegrationTests {

	private static final int CALLS = 12;

	private static final int MIB = 1024 * 1024;

	/** A frame of 1 MiB holds it. */
	private static final int DOCUMENT = 900 * 1024;

	/** All arguments together are 2.7 times the limit. */
	@Test
	@PropertyEffect("rpc.server.memory.limit")
	void largeCalls_awaitServerMemoryAndSucceed() throws Exception {
		try (ConfigurableApplicationContext context = run(
				Map.of("rpc.server.max-frame-size", "1MB", "rpc.server.memory.limit", "4MB",
						"rpc.client.connections-per-endpoint", 2, "rpc.client.timeout", "30s"))) {
			Desk desk = context.getBean(Caller.class).desk;
			RpcServer server = context.getBean(RpcServer.class);
			List<CompletableFuture<Integer>> calls = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				calls.add(desk.fileLater(new byte[DOCUMENT]));
			}
			Applications
				.eventually(() -> server.inFlightCalls() > 0 && server.inFlightCalls() + held(context) == CALLS);
			assertThat(server.inFlightCalls() * DOCUMENT).isLessThanOrEqualTo(3 * MIB);
			assertThat(calls).noneMatch(CompletableFuture::isDone);
			context.getBean(DeskService.class).gate.complete("filed");
			for (CompletableFuture<Integer> call : calls) {
				assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo(DOCUMENT);
			}
		}
	}

	/** One for each connection has asked for memory, the others wait for any. */
	private static int held(ConfigurableApplicationContext context) {
		RpcClient client = context.getBean(RpcClient.class);
		return client.connections().stream().mapToInt(ConnectionInfo::held).sum()
				+ client.references().stream().mapToInt(ReferenceInfo::waitingCalls).sum();
	}

	/** One document has room; the next may go over the limit, so that it completes. */
	@Test
	@PropertyEffect("rpc.client.memory.limit")
	void arguments_awaitClientMemoryOrFail() throws Exception {
		Map<String, Object> properties = Map.of("rpc.client.max-frame-size", "1MB", "rpc.client.memory.limit", "3MB",
				"rpc.client.timeout", "30s");
		try (ConfigurableApplicationContext context = run(properties)) {
			Desk desk = context.getBean(Caller.class).desk;
			Queue<CompletableFuture<Integer>> calls = new ConcurrentLinkedQueue<>();
			Thread caller = new Thread(() -> {
				for (int i = 0; i < CALLS; i++) {
					calls.add(desk.fileLater(new byte[DOCUMENT]));
				}
			});
			caller.start();
			Applications.eventually(() -> caller.getState() == Thread.State.TIMED_WAITING);
			assertThat(calls).hasSizeBetween(1, 2).noneMatch(CompletableFuture::isDone);
			context.getBean(DeskService.class).gate.complete("filed");
			caller.join(30_000);
			assertThat(calls).hasSize(CALLS);
			for (CompletableFuture<Integer> call : calls) {
				assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo(DOCUMENT);
			}
		}
		Map<String, Object> failing = new HashMap<>(properties);
		failing.put("rpc.client.when-full", "fail");
		try (ConfigurableApplicationContext context = run(failing)) {
			Desk desk = context.getBean(Caller.class).desk;
			desk.fileLater(new byte[DOCUMENT]);
			desk.fileLater(new byte[DOCUMENT]);
			assertFull(desk.fileLater(new byte[DOCUMENT]), "no memory for the arguments: memory.limit: all of its ");
		}
	}

	@Test
	void caller_blocks_whenClientIsFull() throws Exception {
		try (ConfigurableApplicationContext context = run(Map.of("rpc.client.max-pending-calls", 1))) {
			Desk desk = context.getBean(Caller.class).desk;
			CompletableFuture<String> first = desk.signLater("first");
			CompletableFuture<CompletableFuture<String>> second = new CompletableFuture<>();
			Thread caller = new Thread(() -> second.complete(desk.signLater("second")));
			caller.start();
			Applications.eventually(() -> caller.getState() == Thread.State.TIMED_WAITING);
			assertThat(second).isNotDone();
			context.getBean(DeskService.class).gate.complete("signed");
			assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("signed first");
			assertThat(second.get(10, TimeUnit.SECONDS).get(10, TimeUnit.SECONDS)).isEqualTo("signed second");
		}
	}

	@Test
	@PropertyEffect({ "rpc.client.max-pending-calls", "rpc.client.when-full" })
	void call_isQueuedOrFails_whenClientIsFull() throws Exception {
		try (ConfigurableApplicationContext context = run(
				Map.of("rpc.client.max-pending-calls", 1, "rpc.client.when-full", "queue"))) {
			Desk desk = context.getBean(Caller.class).desk;
			CompletableFuture<String> first = desk.signLater("first");
			CompletableFuture<String> second = desk.signLater("second");
			assertThat(context.getBean(RpcClient.class).queuedCalls()).isOne();
			assertFull(desk.signLater("third"), "max-pending-calls");
			context.getBean(DeskService.class).gate.complete("signed");
			assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo("signed first");
			assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo("signed second");
		}
		try (ConfigurableApplicationContext context = run(
				Map.of("rpc.client.max-pending-calls", 1, "rpc.client.when-full", "fail"))) {
			Desk desk = context.getBean(Caller.class).desk;
			desk.signLater("first");
			assertFull(desk.signLater("second"), "max-pending-calls");
		}
	}

	private static void assertFull(CompletableFuture<?> call, String why) {
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(() -> call.get(10, TimeUnit.SECONDS))
			.havingCause()
			.isInstanceOfSatisfying(RpcException.class,
					(ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.RESOURCE_EXHAUSTED))
			.withMessageContaining(why);
	}

	private static ConfigurableApplicationContext run(Map<String, Object> properties) {
		Map<String, Object> all = new HashMap<>(properties);
		all.put("rpc.server.shutdown.grace-period", 0);
		return Applications.run(WebApplicationType.NONE, all, DeskService.class, Caller.class);
	}

	/** A contract. */
	public interface Desk {

		CompletableFuture<String> signLater(String name);

		CompletableFuture<Integer> fileLater(byte[] document);

	}

	@RpcService
	static class DeskService implements Desk {

		private final CompletableFuture<String> gate = new CompletableFuture<>();

		@Override
		public CompletableFuture<String> signLater(String name) {
			return this.gate.thenApply((signed) -> signed + " " + name);
		}

		@Override
		public CompletableFuture<Integer> fileLater(byte[] document) {
			return this.gate.thenApply((filed) -> document.length);
		}

	}

	static class Caller {

		@RpcReference
		private Desk desk;

	}

}
