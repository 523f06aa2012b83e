package io.rpcboot.spring.autoconfigure.server;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcMethod;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Properties and annotations decide which thread runs what. */
@Tag("jdk25")
class DispatchIntegrationTests {

	private static final String LOOP = "rpc-server-loop-";

	private static final String WORKER = "rpc-worker-";

	private static final String VIRTUAL = "rpc-virtual-";

	private static Map<String, String> threads(Map<String, Object> properties) throws Exception {
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE, properties,
				ThreadsService.class, Caller.class)) {
			Threads threads = context.getBean(Caller.class).threads;
			Map<String, String> result = new HashMap<>();
			result.put("plain", name(threads.plain()));
			result.put("declared", name(threads.declared()));
			result.put("implemented", name(threads.implemented()));
			return result;
		}
	}

	private static String name(String thread) {
		return thread.replaceAll("\\d+$", "");
	}

	@Test
	void annotations_selectEventLoop_onInterfaceAndBean() throws Exception {
		assertThat(threads(Map.of())).containsEntry("plain", WORKER)
			.containsEntry("declared", LOOP)
			.containsEntry("implemented", LOOP);
	}

	@Test
	@PropertyEffect("rpc.server.dispatch")
	void serverDispatch_applies_withoutAnnotation() throws Exception {
		assertThat(threads(Map.of("rpc.server.dispatch", "event-loop"))).containsEntry("plain", LOOP);
	}

	@Test
	@PropertyEffect({ "rpc.server.services.<name>.dispatch", "rpc.server.services.<name>.methods.<method>.dispatch" })
	void methodDispatch_overridesServiceDispatchAndAnnotations() throws Exception {
		assertThat(threads(Map.of("rpc.server.services.Threads.dispatch", "pool",
				"rpc.server.services.Threads.methods.plain.dispatch", "event-loop")))
			.containsEntry("plain", LOOP)
			.containsEntry("declared", WORKER)
			.containsEntry("implemented", WORKER);
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void virtualThreads_areDefault_whenApplicationEnablesThem() throws Exception {
		assertThat(threads(Map.of("spring.threads.virtual.enabled", "true"))).containsEntry("plain", VIRTUAL)
			.containsEntry("declared", LOOP);
		assertThat(threads(Map.of("spring.threads.virtual.enabled", "true", "rpc.server.dispatch", "pool")))
			.containsEntry("plain", WORKER);
		assertThat(threads(Map.of("rpc.server.services.Threads.methods.declared.dispatch", "virtual")))
			.containsEntry("plain", WORKER)
			.containsEntry("declared", VIRTUAL);
	}

	@Test
	@PropertyEffect({ "rpc.client.callbacks", "rpc.client.references.users.callbacks" })
	void referenceCallbacks_overrideClientCallbacks() throws Exception {
		assertThat(callbackThread(Map.of())).isEqualTo("rpc-callback-");
		assertThat(callbackThread(Map.of("rpc.client.callbacks", "event-loop"))).isEqualTo("rpc-client-loop-");
		assertThat(callbackThread(Map.of("rpc.client.references.threads.callbacks", "event-loop")))
			.isEqualTo("rpc-client-loop-");
		assertThat(callbackThread(
				Map.of("rpc.client.callbacks", "event-loop", "rpc.client.references.threads.callbacks", "pool")))
			.isEqualTo("rpc-callback-");
	}

	private static String callbackThread(Map<String, Object> properties) throws Exception {
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE, properties,
				ThreadsService.class, Caller.class)) {
			CompletableFuture<String> thread = context.getBean(Caller.class).threads.later()
				.thenApply((done) -> Thread.currentThread().getName());
			context.getBean(ThreadsService.class).gate.countDown();
			return name(thread.get(10, TimeUnit.SECONDS));
		}
	}

	/** A contract. */
	public interface Threads {

		String plain();

		@RpcMethod(nonBlocking = true)
		String declared();

		String implemented();

		CompletableFuture<String> later();

	}

	@RpcService
	static class ThreadsService implements Threads {

		private final CountDownLatch gate = new CountDownLatch(1);

		@Override
		public String plain() {
			return Thread.currentThread().getName();
		}

		@Override
		public String declared() {
			return Thread.currentThread().getName();
		}

		@Override
		@RpcMethod(nonBlocking = true)
		public String implemented() {
			return Thread.currentThread().getName();
		}

		@Override
		public CompletableFuture<String> later() {
			try {
				this.gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return CompletableFuture.completedFuture("done");
		}

	}

	static class Caller {

		@RpcReference(name = "threads")
		private Threads threads;

	}

}
