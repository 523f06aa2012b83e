package io.rpcboot.spring.actuate.health;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.fixture.HealthProbe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.AvailabilityState;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Health over gRPC as a probe sees it, and what the application says of itself. */
@Timeout(60)
class GrpcHealthIntegrationTests {

	private static ConfigurableApplicationContext run(Class<?>... beans) {
		return Applications.run(WebApplicationType.NONE, Map.of("rpc.server.shutdown.grace-period", 0), beans);
	}

	/** Runs an application whose server or client has one event loop to end. */
	private static ConfigurableApplicationContext runWithFewLoops() {
		return Applications.run(WebApplicationType.NONE,
				Map.of("rpc.server.shutdown.grace-period", 0, "rpc.client.shutdown.grace-period", 0,
						"rpc.server.event-loop.threads", 2, "rpc.client.event-loop.threads", 1, "rpc.server.dispatch",
						"event-loop", "rpc.client.callbacks", "event-loop"),
				EnderService.class, Caller.class);
	}

	private static List<Boolean> serving(HealthProbe probe, String... names) {
		List<Boolean> statuses = new ArrayList<>();
		for (String name : names) {
			statuses.add(probe.isServing(name));
		}
		return statuses;
	}

	@Test
	void liveness_followsTheApplication() {
		try (ConfigurableApplicationContext context = run(GreeterService.class);
				HealthProbe probe = new HealthProbe(context)) {
			assertThat(serving(probe, "liveness", "readiness")).containsExactly(true, true);
			for (int i = 0; i < 3; i++) {
				AvailabilityChangeEvent.publish(context, LivenessState.BROKEN);
				assertThat(serving(probe, "liveness", "readiness")).containsExactly(false, true);
				AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
				assertThat(serving(probe, "liveness", "readiness")).containsExactly(true, true);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "readiness", "", "io.rpcboot.spring.Greeter" })
	void otherNames_followTheReadiness(String name) {
		try (ConfigurableApplicationContext context = run(GreeterService.class);
				HealthProbe probe = new HealthProbe(context)) {
			assertThat(serving(probe, name, "liveness")).containsExactly(true, true);
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			assertThat(serving(probe, name, "liveness")).containsExactly(false, true);
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(serving(probe, name, "liveness")).containsExactly(true, true);
		}
	}

	/** Spring Boot accepts traffic after the runners. */
	@Test
	void server_isNotReady_duringRunners() {
		try (ConfigurableApplicationContext context = run(GreeterService.class, AskingRunner.class);
				HealthProbe probe = new HealthProbe(context)) {
			assertThat(context.getBean(AskingRunner.class).seen).isEqualTo(List.of(false, false, true));
			assertThat(serving(probe, "readiness", "", "liveness")).containsExactly(true, true, true);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "BROKEN", "REFUSING_TRAFFIC" })
	void eventsOfChildContexts_areTheirs(String state) {
		try (ConfigurableApplicationContext context = run(GreeterService.class);
				HealthProbe probe = new HealthProbe(context);
				GenericApplicationContext child = new GenericApplicationContext(context)) {
			child.refresh();
			AvailabilityChangeEvent.publish(child, state.equals("BROKEN") ? (AvailabilityState) LivenessState.BROKEN
					: ReadinessState.REFUSING_TRAFFIC);
			assertThat(serving(probe, "liveness", "readiness")).containsExactly(true, true);
		}
	}

	enum Engine {

		SERVER, CLIENT

	}

	@ParameterizedTest
	@EnumSource
	void applicationCannotRestoreTheLiveness_afterFailureOfTheEngine(Engine engine) {
		try (ConfigurableApplicationContext context = runWithFewLoops(); HealthProbe probe = new HealthProbe(context)) {
			assertThat(probe.isServing("liveness")).isTrue();
			end(engine, context);
			Applications.eventually(() -> !probe.isServing("liveness"));
			AvailabilityChangeEvent.publish(context, LivenessState.CORRECT);
			assertThat(probe.isServing("liveness")).isFalse();
		}
	}

	/** Ends one event loop. */
	private static void end(Engine engine, ConfigurableApplicationContext context) {
		Ender ender = context.getBean(Caller.class).ender;
		CompletableFuture<Void> called = ender.answerLater(engine == Engine.SERVER);
		if (engine == Engine.CLIENT) {
			called.thenRun(() -> endThisLoop());
		}
	}

	private static void endThisLoop() {
		EventExecutor loop = Objects.requireNonNull(ThreadExecutorMap.currentExecutor());
		loop.schedule(() -> loop.shutdownGracefully(0, 0, TimeUnit.SECONDS), 100, TimeUnit.MILLISECONDS);
	}

	@Test
	void oneService_isNotServing_whenTheApplicationSaysSo() {
		try (ConfigurableApplicationContext context = run(GreeterService.class, OtherService.class);
				HealthProbe probe = new HealthProbe(context)) {
			RpcServer server = context.getBean(RpcServer.class);
			String[] names = { Greeter.class.getName(), Other.class.getName().replace('$', '.'), "", "readiness" };
			assertThat(serving(probe, names)).containsOnly(true);
			server.health().serving(names[0], false);
			assertThat(serving(probe, names)).containsExactly(false, true, true, true);
			AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
			AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(serving(probe, names)).containsExactly(false, true, true, true);
			server.health().serving(names[0], true);
			assertThat(serving(probe, names)).containsOnly(true);
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> server.health().serving("readiness", false))
				.withMessageStartingWith("health: 'readiness' is not offered over gRPC (expected: one of [io.rpcboot.");
		}
	}

	/** Asks before the application accepts traffic. */
	static class AskingRunner implements ApplicationRunner {

		private final ConfigurableApplicationContext context;

		private List<Boolean> seen = List.of();

		AskingRunner(ConfigurableApplicationContext context) {
			this.context = context;
		}

		@Override
		public void run(ApplicationArguments arguments) {
			try (HealthProbe probe = new HealthProbe(this.context)) {
				this.seen = serving(probe, "readiness", "", "liveness");
			}
		}

	}

	/** Service that ends event loops. */
	public interface Ender {

		CompletableFuture<Void> answerLater(boolean end);

	}

	@RpcService
	static class EnderService implements Ender {

		@Override
		public CompletableFuture<Void> answerLater(boolean end) {
			if (end) {
				endThisLoop();
			}
			return CompletableFuture.runAsync(() -> {
			}, CompletableFuture.delayedExecutor(200, TimeUnit.MILLISECONDS));
		}

	}

	static class Caller {

		@RpcReference
		private Ender ender;

	}

	/** Service beside the greeter. */
	public interface Other {

		String any();

	}

	@RpcService
	static class OtherService implements Other {

		@Override
		public String any() {
			return "any";
		}

	}

}
