package io.rpcboot.engine.call;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import io.rpcboot.RpcException;
import io.rpcboot.client.CallbackThread;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.engine.fixture.ReferenceStates;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.loadbalance.LoadBalancer;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.RpcConnectionListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Errors of user code at every place where a thread of the engine runs it. */
@Timeout(60)
class ErrorsIntegrationTests {

	private static final EventLoopOptions ONE_LOOP = EventLoopOptions.defaults().withThreads(1);

	private static final List<String> KINDS = List.of("memory", "stack", "linkage", "assertion");

	private final AtomicInteger listened = new AtomicInteger();

	private RpcServer server;

	private RpcClient client;

	private Bombs bombs;

	@AfterEach
	void stop() {
		Bombs.Fragile.armed = false;
		assertThat(this.server.failure()).isEmpty();
		assertThat(this.client.failure()).isEmpty();
		this.client.close();
		this.server.close();
		assertThat(this.server.failure()).as("a close is no failure").isEmpty();
		assertThat(this.client.failure()).isEmpty();
	}

	private void start(Dispatch dispatch, CallbackThread callbacks, LoadBalancer balancer) {
		this.server = RpcServer.builder()
			.port(0)
			.eventLoop(ONE_LOOP)
			.dispatch(dispatch)
			.maxThreads(1)
			.connectionListener(new BadListener())
			.service(Bombs.class, new Bombs.Impl())
			.start();
		this.client = RpcClient.builder()
			.timeout(Duration.ofSeconds(20))
			.eventLoop(ONE_LOOP)
			.callbacks(callbacks)
			.callbackThreads(1)
			.loadBalancer(() -> balancer)
			.connectionListener(new BadListener())
			.build();
		this.bombs = this.client.reference(Bombs.class, ReferenceStates.at(this.server));
	}

	private static Map<String, Thread> engineThreads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().matches("rpc-(server|client)-(loop|acceptor)-\\d+"))
			.collect(Collectors.toMap((thread) -> thread.getName() + "@" + System.identityHashCode(thread),
					(thread) -> thread));
	}

	@ParameterizedTest
	@EnumSource(value = Dispatch.class, names = { "POOL", "EVENT_LOOP" })
	void implementationError_failsOnlyItsCall(Dispatch dispatch) {
		start(dispatch, CallbackThread.POOL, (candidates) -> 0);
		String thread = this.bombs.thread();
		Map<String, Thread> before = engineThreads();
		for (String kind : KINDS) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.bombs.boom(kind));
		}
		assertThat(this.bombs.thread()).isEqualTo(thread);
		assertThat(engineThreads()).isEqualTo(before);
	}

	@ParameterizedTest
	@EnumSource(value = Dispatch.class, names = { "POOL", "EVENT_LOOP" })
	void constructorError_failsOnlyItsCall(Dispatch dispatch) {
		start(dispatch, CallbackThread.POOL, (candidates) -> 0);
		Bombs.Fragile argument = new Bombs.Fragile();
		assertThat(this.bombs.take(argument)).isEqualTo("fragile");
		String thread = this.bombs.thread();
		Bombs.Fragile.armed = true;
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> this.bombs.take(argument))
			.withMessageEndingWith("; it did not execute")
			.matches((ex) -> !ex.mayHaveExecuted());
		Bombs.Fragile.armed = false;
		assertThat(this.bombs.take(argument)).isEqualTo("fragile");
		assertThat(this.bombs.thread()).isEqualTo(thread);
	}

	@ParameterizedTest
	@EnumSource
	void callbackError_failsOnlyItsFuture(CallbackThread callbacks) throws Exception {
		start(Dispatch.POOL, callbacks, (candidates) -> 0);
		Thread before = callbackThread();
		for (String kind : KINDS) {
			CompletableFuture<Object> dependent = this.bombs.later("a").thenApply((name) -> {
				throw Bombs.Impl.error(kind);
			});
			assertThat(dependent.handle((value, failure) -> failure).get(20, TimeUnit.SECONDS))
				.hasRootCauseInstanceOf(Error.class);
		}
		assertThat(callbackThread()).isSameAs(before);
	}

	/** A callback that is added too late runs in the caller: then once more. */
	private Thread callbackThread() throws Exception {
		Thread thread = Thread.currentThread();
		while (thread == Thread.currentThread()) {
			thread = this.bombs.later("a").thenApply((name) -> Thread.currentThread()).get(20, TimeUnit.SECONDS);
		}
		return thread;
	}

	@Test
	void listenerError_doesNotAffectCalls() {
		start(Dispatch.POOL, CallbackThread.POOL, (candidates) -> 0);
		assertThat(this.bombs.later("a").join()).isEqualTo("a");
		Eventually.until("both sides were told", () -> this.listened.get() == 2);
		assertThat(this.bombs.later("b").join()).isEqualTo("b");
	}

	@Test
	void loadBalancerError_doesNotAffectCalls() {
		start(Dispatch.POOL, CallbackThread.POOL, (candidates) -> {
			throw new NoClassDefFoundError("balancer");
		});
		assertThat(this.bombs.later("a").join()).isEqualTo("a");
	}

	private final class BadListener implements RpcConnectionListener {

		@Override
		public void connected(RpcConnection connection) {
			ErrorsIntegrationTests.this.listened.incrementAndGet();
			throw new OutOfMemoryError("listener");
		}

		@Override
		public void closed(RpcConnection connection, String reason) {
			throw new NoClassDefFoundError("listener");
		}

	}

}
