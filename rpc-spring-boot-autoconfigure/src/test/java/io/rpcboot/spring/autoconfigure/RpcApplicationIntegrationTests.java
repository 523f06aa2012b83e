package io.rpcboot.spring.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whole applications, with real calls over loopback. */
@Timeout(60)
class RpcApplicationIntegrationTests {

	private static final AtomicInteger created = new AtomicInteger();

	@BeforeEach
	void reset() {
		created.set(0);
	}

	@Test
	void callsWithinOneProcessWithNothingConfigured() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class, User.class)) {
			assertThat(context.getBean(User.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, false", "true, true" })
	void callsGoThroughProxiesOfTheBean(boolean proxyTargetClass, boolean lazy) {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				Map.of("spring.aop.proxy-target-class", proxyTargetClass, "spring.main.lazy-initialization", lazy),
				GreeterService.class, Shout.class, User.class)) {
			assertThat(context.getBean(User.class).greeter.greet("Ann")).isEqualTo("HELLO ANN");
		}
	}

	@Test
	void lazyServicesAreCreatedByTheirFirstCall() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, LazyService.class, User.class)) {
			assertThat(created).hasValue(0);
			Greeter greeter = context.getBean(User.class).greeter;
			greeter.greet("Ann");
			greeter.greet("Ben");
			assertThat(created).hasValue(1);
		}
	}

	@Test
	void prototypeServicesAreCreatedForEachCall() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, PrototypeService.class,
				User.class)) {
			Greeter greeter = context.getBean(User.class).greeter;
			greeter.greet("Ann");
			greeter.greet("Ben");
			assertThat(created).hasValue(2);
		}
	}

	@Test
	void registersAfterTheRunners() {
		List<String> locations = new ArrayList<>();
		SpringApplication application = application(WebApplicationType.NONE, GreeterService.class);
		application.addInitializers((context) -> ((GenericApplicationContext) context).registerBean("runner",
				ApplicationRunner.class, () -> (arguments) -> locations
					.add(context.getBeanFactory().getBean(RpcServer.class).registeredLocation())));
		try (ConfigurableApplicationContext context = application.run()) {
			assertThat(locations).containsExactly("");
			assertThat(context.getBean(RpcServer.class).registeredLocation()).isNotEmpty();
		}
	}

	@Test
	void followsTheReadinessOfTheApplication() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class)) {
			RpcServer server = context.getBean(RpcServer.class);
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			assertThat(server.registeredLocation()).isEmpty();
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(server.registeredLocation()).isNotEmpty();
		}
	}

	@Test
	void ignoresTheReadinessOfChildContexts() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class);
				GenericApplicationContext child = new GenericApplicationContext()) {
			child.setParent(context);
			child.refresh();
			AvailabilityChangeEvent.publish(child, ReadinessState.REFUSING_TRAFFIC);
			assertThat(context.getBean(RpcServer.class).registeredLocation()).isNotEmpty();
		}
	}

	@ParameterizedTest
	@CsvSource({ "NONE", "SERVLET" })
	void finishesCallsInFlightAtShutdown(WebApplicationType type) throws Exception {
		SlowService.entered = new CountDownLatch(1);
		SlowService.release = new CountDownLatch(1);
		ConfigurableApplicationContext context = run(type, SlowService.class);
		Endpoint endpoint = new Endpoint("127.0.0.1", port(context));
		try (RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(30)).build()) {
			Greeter greeter = client.reference(Greeter.class, ReferenceOptions.defaults().withEndpoints(endpoint));
			CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> greeter.greet("Ann"));
			assertThat(SlowService.entered.await(30, TimeUnit.SECONDS)).isTrue();
			CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
			RpcServer server = context.getBean(RpcServer.class);
			assertThat(eventually(() -> server.registeredLocation().isEmpty())).isTrue();
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
	void handlersMayCallOutWhileTheServerDrains() throws Exception {
		SlowService.entered = new CountDownLatch(1);
		SlowService.release = new CountDownLatch(1);
		try (ConfigurableApplicationContext other = run(WebApplicationType.NONE, GreeterService.class)) {
			ConfigurableApplicationContext context = run(WebApplicationType.NONE,
					Map.of("rpc.client.references.other.addresses", "127.0.0.1:" + port(other)), RelayService.class);
			Endpoint endpoint = new Endpoint("127.0.0.1", port(context));
			try (RpcClient client = RpcClient.builder().timeout(Duration.ofSeconds(30)).build()) {
				Greeter greeter = client.reference(Greeter.class,
						ReferenceOptions.defaults().withVersion("relay").withEndpoints(endpoint));
				CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> greeter.greet("Ann"));
				assertThat(SlowService.entered.await(30, TimeUnit.SECONDS)).isTrue();
				CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
				RpcServer server = context.getBean(RpcServer.class);
				assertThat(eventually(() -> server.registeredLocation().isEmpty())).isTrue();
				SlowService.release.countDown();
				assertThat(call.get(30, TimeUnit.SECONDS)).isEqualTo("Hello Ann");
				closed.get(30, TimeUnit.SECONDS);
			}
		}
	}

	@Test
	void aServerKeepsTheApplicationAlive() {
		ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class);
		try {
			assertThat(nonDaemons()).contains("rpc-server-keep-alive");
		}
		finally {
			context.close();
		}
		assertThat(eventually(() -> nonDaemons().stream().noneMatch((name) -> name.startsWith("rpc-")))).isTrue();
	}

	@Test
	void aClientDoesNot() {
		List<String> before = nonDaemons();
		try (ConfigurableApplicationContext server = run(WebApplicationType.NONE, GreeterService.class)) {
			List<String> withServer = nonDaemons();
			try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
					Map.of("rpc.client.references.other.addresses", "127.0.0.1:" + port(server)), NamedUser.class)) {
				assertThat(context.getBean(NamedUser.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
				assertThat(nonDaemons()).containsExactlyInAnyOrderElementsOf(withServer);
			}
		}
		assertThat(eventually(() -> before.containsAll(nonDaemons()))).isTrue();
	}

	@Test
	void aCallWithoutServerFailsInTime() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				Map.of("rpc.client.timeout", "200ms"), User.class)) {
			Greeter greeter = context.getBean(User.class).greeter;
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> greeter.greet("Ann"))
				.withMessageContaining(Greeter.class.getName())
				.satisfies((ex) -> assertThat(ex.mayHaveExecuted()).isFalse());
		}
	}

	private static ConfigurableApplicationContext run(WebApplicationType type, Class<?>... beans) {
		return run(type, Map.of(), beans);
	}

	private static ConfigurableApplicationContext run(WebApplicationType type, Map<String, Object> properties,
			Class<?>... beans) {
		String[] arguments = properties.entrySet()
			.stream()
			.map((property) -> "--" + property.getKey() + "=" + property.getValue())
			.toArray(String[]::new);
		return application(type, beans).run(arguments);
	}

	private static SpringApplication application(WebApplicationType type, Class<?>... beans) {
		SpringApplication application = new SpringApplication(Application.class);
		application.addPrimarySources(List.of(beans));
		application.setWebApplicationType(type);
		application.setRegisterShutdownHook(false);
		application.setDefaultProperties(Map.of("rpc.server.port", 0, "server.port", 0, "spring.main.banner-mode",
				"off", "logging.level.root", "warn", "spring.jmx.enabled", false));
		return application;
	}

	private static int port(ConfigurableApplicationContext context) {
		return context.getEnvironment().getRequiredProperty("local.rpc.port", int.class);
	}

	private static List<String> nonDaemons() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && !thread.isDaemon())
			.map(Thread::getName)
			.sorted()
			.toList();
	}

	private static boolean eventually(BooleanSupplier condition) {
		long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - deadline > 0) {
				return false;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
		}
		return true;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			return "Hello " + name;
		}

	}

	@RpcService
	@Lazy
	static class LazyService extends GreeterService {

		LazyService() {
			created.incrementAndGet();
		}

	}

	@RpcService
	@Scope("prototype")
	static class PrototypeService extends GreeterService {

		PrototypeService() {
			created.incrementAndGet();
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

	@Aspect
	static class Shout {

		@Around("execution(* io.rpcboot.spring.Greeter.greet(..)) && target(io.rpcboot.spring.autoconfigure.RpcApplicationIntegrationTests.GreeterService)")
		Object shout(ProceedingJoinPoint call) throws Throwable {
			return String.valueOf(call.proceed()).toUpperCase(Locale.ROOT);
		}

	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

	static class NamedUser {

		@RpcReference(name = "other")
		private Greeter greeter;

	}

}
