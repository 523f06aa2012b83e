package io.rpcboot.spring.autoconfigure;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import io.micrometer.core.instrument.MeterRegistry;
import io.rpcboot.RpcException;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Scope;
import org.springframework.context.support.GenericApplicationContext;

import static io.rpcboot.spring.autoconfigure.fixture.Applications.application;
import static io.rpcboot.spring.autoconfigure.fixture.Applications.eventually;
import static io.rpcboot.spring.autoconfigure.fixture.Applications.port;
import static io.rpcboot.spring.autoconfigure.fixture.Applications.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Whole applications, with real calls over loopback. */
@Timeout(60)
@Tag("jdk25")
class RpcApplicationIntegrationTests {

	private static final AtomicInteger created = new AtomicInteger();

	@BeforeEach
	void reset() {
		created.set(0);
	}

	@Test
	void call_succeedsWithinProcess_withoutConfiguration() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class, User.class)) {
			assertThat(context.getBean(User.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
		}
	}

	@ParameterizedTest
	@CsvSource({ "true, false", "false, false", "true, true" })
	void call_passesThroughBeanProxy(boolean proxyTargetClass, boolean lazy) {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				Map.of("spring.aop.proxy-target-class", proxyTargetClass, "spring.main.lazy-initialization", lazy),
				GreeterService.class, Shout.class, User.class)) {
			assertThat(context.getBean(User.class).greeter.greet("Ann")).isEqualTo("HELLO ANN");
		}
	}

	@Test
	void lazyService_isCreated_atFirstCall() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, LazyService.class, User.class)) {
			assertThat(created).hasValue(0);
			Greeter greeter = context.getBean(User.class).greeter;
			greeter.greet("Ann");
			greeter.greet("Ben");
			assertThat(created).hasValue(1);
		}
	}

	@Test
	void prototypeService_isCreated_forEachCall() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, PrototypeService.class,
				User.class)) {
			Greeter greeter = context.getBean(User.class).greeter;
			greeter.greet("Ann");
			greeter.greet("Ben");
			assertThat(created).hasValue(2);
		}
	}

	@Test
	void sharedRegistry_receivesServer_afterRunners() {
		InMemoryRegistry shared = new InMemoryRegistry();
		Registry seenByOthers = (Registry) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { Registry.class }, (self, method, arguments) -> method.invoke(shared, arguments));
		assertThat(locationInRunner((context) -> context.registerBean("shared", Registry.class, () -> seenByOthers)))
			.isEmpty();
	}

	@Test
	void inMemoryRegistry_receivesServer_beforeRunners() {
		assertThat(locationInRunner((context) -> {
		})).startsWith("memory:");
	}

	private static String locationInRunner(Consumer<GenericApplicationContext> beans) {
		List<String> locations = new ArrayList<>();
		SpringApplication application = application(WebApplicationType.NONE, GreeterService.class);
		application.addInitializers((context) -> {
			TestPropertyValues.of("spring.application.name=shop").applyTo(context);
			GenericApplicationContext generic = (GenericApplicationContext) context;
			beans.accept(generic);
			generic.registerBean("runner", ApplicationRunner.class, () -> (arguments) -> locations
				.add(context.getBeanFactory().getBean(RpcServer.class).registeredLocation()));
		});
		try (ConfigurableApplicationContext context = application.run()) {
			assertThat(context.getBean(RpcServer.class).registeredLocation()).isNotEmpty();
			assertThat(locations).hasSize(1);
			return locations.get(0);
		}
	}

	@Test
	void registration_followsReadinessOfApplication() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class)) {
			RpcServer server = context.getBean(RpcServer.class);
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			assertThat(server.registeredLocation()).isEmpty();
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(server.registeredLocation()).isNotEmpty();
		}
	}

	@Test
	void registration_ignoresReadinessOfChildContexts() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class);
				GenericApplicationContext child = new GenericApplicationContext()) {
			child.setParent(context);
			child.refresh();
			AvailabilityChangeEvent.publish(child, ReadinessState.REFUSING_TRAFFIC);
			assertThat(context.getBean(RpcServer.class).registeredLocation()).isNotEmpty();
		}
	}

	@Test
	void server_keepsApplicationAlive() {
		ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class);
		try {
			assertThat(nonDaemons()).anyMatch((name) -> name.startsWith("rpc-server-keep-alive-"));
		}
		finally {
			context.close();
		}
		eventually(() -> nonDaemons().stream().noneMatch((name) -> name.startsWith("rpc-")));
	}

	@Test
	void client_createsNoNonDaemonThread() {
		List<String> before = nonDaemons();
		try (ConfigurableApplicationContext server = run(WebApplicationType.NONE, GreeterService.class)) {
			List<String> withServer = nonDaemons();
			try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
					Map.of("rpc.client.references.other.addresses", "127.0.0.1:" + port(server)), NamedUser.class)) {
				assertThat(context.getBean(NamedUser.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
				eventually(() -> withServer.containsAll(nonDaemons()));
			}
		}
		eventually(() -> before.containsAll(nonDaemons()));
	}

	@Test
	void call_isMeasuredOnBothSides() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE, GreeterService.class, User.class)) {
			context.getBean(User.class).greeter.greet("Ann");
			MeterRegistry meters = context.getBean(MeterRegistry.class);
			for (String side : List.of("client", "server")) {
				eventually(() -> meters.find("rpc." + side + ".calls")
					.tag("service", Greeter.class.getName())
					.tag("status", "OK")
					.functionTimers()
					.stream()
					.anyMatch((timer) -> timer.count() == 1));
			}
		}
	}

	@Test
	void call_failsWithinTimeout_withoutServer() {
		try (ConfigurableApplicationContext context = run(WebApplicationType.NONE,
				Map.of("rpc.client.timeout", "200ms"), User.class)) {
			Greeter greeter = context.getBean(User.class).greeter;
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> greeter.greet("Ann"))
				.withMessageContaining(Greeter.class.getName())
				.satisfies((ex) -> assertThat(ex.mayHaveExecuted()).isFalse());
		}
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

	@Aspect
	static class Shout {

		@Around("execution(* io.rpcboot.spring.Greeter.greet(..)) && target(io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService)")
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
