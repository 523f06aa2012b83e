package io.rpcboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;

import static org.assertj.core.api.Assertions.assertThat;

/** A service that hangs leaves a part of the server to others. */
@Timeout(120)
class HangingServiceIntegrationTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger entered = new AtomicInteger();

	/** A service whose calls wait for the gate. */
	public interface Hanging {

		CompletableFuture<Integer> hang(int number);

	}

	/** Another one. */
	public interface Prompt {

		int answer(int number);

	}

	private CompletableFuture<Integer> hang(int number) {
		this.entered.incrementAndGet();
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return CompletableFuture.completedFuture(number);
	}

	@AfterEach
	void open() {
		this.gate.countDown();
	}

	private RpcServerBuilder services(Dispatch dispatch) {
		ServiceOptions options = ServiceOptions.defaults().withDispatch(dispatch);
		Hanging hanging = this::hang;
		Prompt prompt = (number) -> number;
		return RpcServer.builder()
			.port(0)
			.bindAddress("127.0.0.1")
			.service(ServiceDescriptor.of(Hanging.class), () -> hanging, options)
			.service(ServiceDescriptor.of(Prompt.class), () -> prompt, options);
	}

	@Test
	void threeQuartersOfTheThreads() throws Exception {
		try (LogRecorder log = new LogRecorder("io.rpcboot.server.PoolWatch");
				RpcServer server = services(Dispatch.POOL).maxThreads(8).start();
				RpcClient client = RpcClient.builder().build()) {
			Hanging hanging = client.reference(Hanging.class, References.at(server).withTimeout(LONG));
			Prompt prompt = client.reference(Prompt.class, References.at(server).withTimeout(LONG));
			List<CompletableFuture<Integer>> all = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				all.add(hanging.hang(i));
			}
			for (int i = 0; i < 100; i++) {
				assertThat(prompt.answer(i)).isEqualTo(i);
			}
			Eventually.until("it has what it may have", () -> this.entered.get() == 6);
			Eventually.until("the others wait", () -> server.pool().waiting() == 14);
			Eventually.until("no thread but those is busy", () -> server.pool().busy() == 6);
			assertThat(prompt.answer(1)).isOne();
			Eventually.until("it is said", () -> !log.messages().isEmpty());
			assertThat(server.pool().usedUp()).isNotNull();
			assertThat(log.messages()).singleElement()
				.asString()
				.startsWith("A service has three quarters of the 8 threads, as many as it may have, and 14 calls wait")
				.contains("Hanging.hang(");
			assertThat(this.entered).hasValue(6);
			this.gate.countDown();
			for (int i = 0; i < 20; i++) {
				assertThat(all.get(i).get(20, TimeUnit.SECONDS)).isEqualTo(i);
			}
			Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		}
	}

	@Test
	void threeQuartersOfTheCallsInFlight() {
		try (RpcServer server = services(Dispatch.POOL).maxThreads(40).maxInFlightCalls(16).start();
				RpcClient client = RpcClient.builder().build()) {
			hangAndAnswer(server, client);
		}
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void threeQuartersOfTheCallsInFlightOnVirtualThreads() {
		try (RpcServer server = services(Dispatch.VIRTUAL).maxInFlightCalls(16).start();
				RpcClient client = RpcClient.builder().build()) {
			hangAndAnswer(server, client);
		}
	}

	private void hangAndAnswer(RpcServer server, RpcClient client) {
		Hanging hanging = client.reference(Hanging.class, References.at(server).withTimeout(LONG));
		Prompt prompt = client.reference(Prompt.class, References.at(server).withTimeout(LONG));
		AtomicInteger refused = new AtomicInteger();
		AtomicInteger answered = new AtomicInteger();
		for (int i = 0; i < 40; i++) {
			hanging.hang(i).whenComplete((result, failure) -> {
				if (failure instanceof RpcException ex && ex.status() == RpcStatus.RESOURCE_EXHAUSTED) {
					refused.incrementAndGet();
				}
				answered.addAndGet((failure == null) ? 1 : 0);
			});
		}
		Eventually.until("it has what it may have", () -> this.entered.get() == 12 && refused.get() == 28);
		for (int i = 0; i < 100; i++) {
			assertThat(prompt.answer(i)).isEqualTo(i);
		}
		assertThat(this.entered).hasValue(12);
		this.gate.countDown();
		Eventually.until("those that ran are answered", () -> answered.get() == 12);
		Eventually.until("no call is in flight", () -> server.inFlightCalls() == 0);
		assertThat(hanging.hang(1).join()).as("its places are free").isOne();
	}

}
