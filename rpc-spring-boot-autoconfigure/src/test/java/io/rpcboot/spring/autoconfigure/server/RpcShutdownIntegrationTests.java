package io.rpcboot.spring.autoconfigure.server;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import io.rpcboot.Endpoint;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ApplicationContextException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static io.rpcboot.spring.autoconfigure.fixture.Applications.eventually;
import static io.rpcboot.spring.autoconfigure.fixture.Applications.port;
import static io.rpcboot.spring.autoconfigure.fixture.Applications.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Tests pending calls of an application that ends. */
@Timeout(60)
@Tag("jdk25")
class RpcShutdownIntegrationTests {

	/** The common pool may have one thread only, and these tasks wait for each other. */
	private static final Executor OWN_THREAD = (task) -> new Thread(task, "test").start();

	@ParameterizedTest
	@CsvSource({ "NONE", "SERVLET" })
	void callInFlight_completes_duringShutdown(WebApplicationType type) throws Exception {
		SlowService.entered = new CountDownLatch(1);
		SlowService.release = new CountDownLatch(1);
		ConfigurableApplicationContext context = run(type, SlowService.class);
		Endpoint endpoint = new Endpoint("127.0.0.1", port(context));
		try (RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(30)).build()) {
			Greeter greeter = client.reference(Greeter.class, ReferenceOptions.defaults().withEndpoints(endpoint));
			CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> greeter.greet("Ann"), OWN_THREAD);
			assertThat(SlowService.entered.await(30, TimeUnit.SECONDS)).isTrue();
			CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, OWN_THREAD);
			RpcServer server = context.getBean(RpcServer.class);
			eventually(() -> server.registeredLocation().isEmpty());
			assertThat(closed).isNotDone();
			SlowService.release.countDown();
			assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("late Ann");
			closed.get(30, TimeUnit.SECONDS);
		}
		finally {
			context.close();
		}
	}

	@Test
	void rpcServer_drains_whileWebServerDrains() throws Exception {
		ConfigurableApplicationContext context = run(WebApplicationType.SERVLET, GreeterService.class,
				SlowController.class);
		SlowController controller = context.getBean(SlowController.class);
		try (RpcClient client = RpcClient.builder().build()) {
			Greeter greeter = client.reference(Greeter.class,
					ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", port(context))));
			assertThat(greeter.greet("Ann")).isEqualTo("Hello Ann");
			URI page = URI.create(
					"http://localhost:%s/slow".formatted(context.getEnvironment().getProperty("local.server.port")));
			CompletableFuture<HttpResponse<String>> request = HttpClient.newHttpClient()
				.sendAsync(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
			assertThat(controller.entered.await(30, TimeUnit.SECONDS)).isTrue();
			CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, OWN_THREAD);
			eventually(() -> client.references().stream().noneMatch(ReferenceInfo::isReady));
			assertThat(request).isNotDone();
			controller.release.countDown();
			assertThat(request.get(30, TimeUnit.SECONDS).body()).isEqualTo("page");
			closed.get(30, TimeUnit.SECONDS);
		}
		finally {
			controller.release.countDown();
			context.close();
		}
	}

	@Test
	void failedStartup_leavesNoThreadRunning() throws IOException {
		try (ServerSocket taken = new ServerSocket(0)) {
			assertThatExceptionOfType(ApplicationContextException.class)
				.isThrownBy(() -> run(WebApplicationType.SERVLET, Map.of("server.port", taken.getLocalPort()),
						GreeterService.class));
		}
		eventually(() -> Thread.getAllStackTraces()
			.keySet()
			.stream()
			.noneMatch((thread) -> thread.getName().startsWith("rpc-server-keep-alive")));
	}

	@Test
	void handler_callsOtherService_whileServerDrains() throws Exception {
		SlowService.entered = new CountDownLatch(1);
		SlowService.release = new CountDownLatch(1);
		try (ConfigurableApplicationContext other = run(WebApplicationType.NONE, GreeterService.class)) {
			ConfigurableApplicationContext context = run(WebApplicationType.NONE,
					Map.of("rpc.client.references.other.addresses", "127.0.0.1:" + port(other)), RelayService.class);
			Endpoint endpoint = new Endpoint("127.0.0.1", port(context));
			try (RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(30)).build()) {
				Greeter greeter = client.reference(Greeter.class,
						ReferenceOptions.defaults().withVersion("relay").withEndpoints(endpoint));
				CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> greeter.greet("Ann"), OWN_THREAD);
				assertThat(SlowService.entered.await(30, TimeUnit.SECONDS)).isTrue();
				CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close, OWN_THREAD);
				RpcServer server = context.getBean(RpcServer.class);
				eventually(() -> server.registeredLocation().isEmpty());
				SlowService.release.countDown();
				assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("Hello Ann");
				closed.get(30, TimeUnit.SECONDS);
			}
		}
	}

	@RpcService
	static class SlowService implements Greeter {

		private static volatile CountDownLatch entered = new CountDownLatch(1);

		private static volatile CountDownLatch release = new CountDownLatch(1);

		@Override
		public String greet(String name) {
			awaitRelease();
			return "late " + name;
		}

		static void awaitRelease() {
			entered.countDown();
			try {
				release.await(30, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	@RpcService(version = "relay")
	static class RelayService implements Greeter {

		@RpcReference(name = "other")
		private Greeter other;

		@Override
		public String greet(String name) {
			SlowService.awaitRelease();
			return this.other.greet(name);
		}

	}

	@RestController
	static class SlowController {

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch release = new CountDownLatch(1);

		@GetMapping("/slow")
		String slow() throws InterruptedException {
			this.entered.countDown();
			this.release.await(30, TimeUnit.SECONDS);
			return "page";
		}

	}

}
