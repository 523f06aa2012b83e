package io.rpcboot.spring.autoconfigure.effect;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.effect.EffectApplication.Desk;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Effects of properties of the client on its calls. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class ClientPropertyEffectsIntegrationTests {

	private static void assertFails(CompletableFuture<?> call, RpcStatus status, String why) {
		assertFails(() -> {
			try {
				call.get(30, TimeUnit.SECONDS);
			}
			catch (ExecutionException ex) {
				throw ex.getCause();
			}
		}, status, why);
	}

	private static void assertFails(ThrowingCallable call, RpcStatus status, String why) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(call)
			.withMessageContaining(why)
			.satisfies((ex) -> assertThat(ex.status()).isEqualTo(status));
	}

	@Test
	@PropertyEffect("rpc.client.timeout")
	void call_endsAtTimeout() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.client.timeout", "300ms"))) {
			assertFails(application.desk.hold("Doug"), RpcStatus.DEADLINE_EXCEEDED,
					"no reply within the timeout of 300 ms");
		}
	}

	@Test
	@PropertyEffect("rpc.client.wait-for-instance")
	void call_waitsForInstance() throws Exception {
		try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
				EffectApplication application = EffectApplication.calling(
						Map.of("rpc.client.wait-for-instance", "2s", "rpc.client.connect-timeout", "1m"),
						silent.getLocalPort())) {
			long start = System.nanoTime();
			assertFails(() -> application.desk.sign("Doug"), RpcStatus.UNAVAILABLE, "");
			assertThat(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)).isGreaterThanOrEqualTo(1990);
		}
	}

	@Test
	@PropertyEffect("rpc.client.callback-threads")
	void callbacks_runOnAsManyThreads() {
		int threads = 2 * Runtime.getRuntime().availableProcessors() + 2;
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.client.callback-threads", threads))) {
			CyclicBarrier allOfThem = new CyclicBarrier(threads);
			List<CompletableFuture<Integer>> calls = IntStream.range(0, threads)
				.mapToObj((i) -> application.desk.hold("Doug").thenApply((held) -> await(allOfThem)))
				.toList();
			application.service.gate.complete("held");
			assertThat(calls).allSatisfy((call) -> assertThat(call.get(30, TimeUnit.SECONDS)).isNotNegative());
		}
	}

	private static int await(CyclicBarrier barrier) {
		try {
			return barrier.await(20, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	@PropertyEffect("rpc.client.max-frame-size")
	void argumentsBeyondFrameSizeOfClient_areRefused() throws Exception {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.client.max-frame-size", "10KB"))) {
			assertFails(application.desk.file(new byte[20_000]), RpcStatus.INVALID_ARGUMENT,
					"max-frame-size: the arguments take more than 10240 bytes");
			assertThat(application.desk.file(new byte[5000]).get(30, TimeUnit.SECONDS)).isEqualTo(5000);
		}
	}

	@Test
	@PropertyEffect("rpc.client.max-attachments-size")
	void attachmentsBeyondSizeOfClient_areRefused() {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.client.max-attachments-size", "50B"))) {
			Desk desk = application.desk;
			assertThatExceptionOfType(Exception.class)
				.isThrownBy(() -> CallOptions.with("note", "x".repeat(100)).call(desk::attachments))
				.withMessageContaining("max-attachments-size")
				.withMessageContaining("at most 50");
		}
	}

	@Test
	@PropertyEffect("rpc.client.forward-attachments")
	void attachments_areForwarded() throws Exception {
		try (EffectApplication application = EffectApplication.run(Map.of("rpc.client.forward-attachments", "tenant"),
				FrontService.class, FrontCaller.class)) {
			Front front = application.context.getBean(FrontCaller.class).front;
			assertThat(CallOptions.with("tenant", "acme").and("note", "x").call(front::attachments))
				.containsEntry("tenant", "acme")
				.doesNotContainKey("note");
		}
	}

	@Test
	@PropertyEffect("rpc.client.shutdown.grace-period")
	void pendingCalls_areCutAfterGracePeriod(CapturedOutput output) {
		try (RpcServer server = EffectApplication.server();
				EffectApplication application = EffectApplication.calling(
						Map.of("rpc.client.shutdown.grace-period", "200ms", "logging.level.rpc.client", "info"),
						server.port())) {
			CompletableFuture<String> held = application.desk.hold("Doug");
			Applications.eventually(() -> server.inFlightCalls() == 1);
			application.context.close();
			Applications.eventually(held::isCompletedExceptionally);
			assertThat(output).containsPattern("RPC client closed: 0 calls finished, 1 cut, after \\d{3,4} ms");
		}
	}

	/** A contract of a service in between. */
	public interface Front {

		Map<String, String> attachments();

	}

	@RpcService
	static class FrontService implements Front {

		@RpcReference
		private Desk desk;

		@Override
		public Map<String, String> attachments() {
			return this.desk.attachments();
		}

	}

	static class FrontCaller {

		@RpcReference
		private Front front;

	}

}
