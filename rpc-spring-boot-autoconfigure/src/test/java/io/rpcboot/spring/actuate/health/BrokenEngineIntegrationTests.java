package io.rpcboot.spring.actuate.health;

import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/** An event loop that has ended, and what the application says of it. */
@Timeout(60)
class BrokenEngineIntegrationTests {

	private static ConfigurableApplicationContext run() {
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("rpc.server.port=0", "rpc.server.dispatch=event-loop", "rpc.server.event-loop.threads=1",
					"rpc.server.shutdown.grace-period=0", "rpc.client.callbacks=event-loop", "rpc.client.timeout=20s",
					"spring.main.banner-mode=off", "spring.jmx.enabled=false")
			.run();
	}

	private static Health health(ConfigurableApplicationContext context) {
		Health health = context.getBean(RpcHealthIndicator.class).health(true);
		assertThat(health).isNotNull();
		return health;
	}

	@Test
	void server_isDownAndLivenessBroken_whenItsLoopEnds() {
		try (ConfigurableApplicationContext context = run()) {
			Greeter greeter = context.getBean(Caller.class).greeter;
			assertThat(greeter.greet("Ann")).isEqualTo("Hello Ann");
			assertThat(health(context).getStatus()).isEqualTo(Status.UP);
			assertThat(liveness(context)).isEqualTo(LivenessState.CORRECT);
			assertThat(greeter.greet("end")).isEqualTo("Hello end");
			Applications.eventually(() -> liveness(context) == LivenessState.BROKEN);
			Health down = health(context);
			assertThat(down.getStatus()).isEqualTo(Status.DOWN);
			assertThat(down.getDetails().get("broken")).asString()
				.isEqualTo("{server=thread rpc-server-loop-1 has ended: it was stopped from outside}");
			assertThat(context.getBean(RpcServer.class).failure()).contains("rpc-server-loop-1");
			Probe probe = context.getBean(Probe.class);
			Applications.eventually(() -> probe.states.size() > 1); // listeners take
																	// turns
			assertThat(probe.states).containsExactly(LivenessState.CORRECT, LivenessState.BROKEN);
		}
	}

	@Test
	void liveness_staysCorrect_whenApplicationCloses() {
		ConfigurableApplicationContext context = run();
		Probe probe = context.getBean(Probe.class);
		RpcServer server = context.getBean(RpcServer.class);
		RpcClient client = context.getBean(RpcClient.class);
		assertThat(context.getBean(Caller.class).greeter.greet("Ann")).isEqualTo("Hello Ann");
		context.close();
		assertThat(server.failure()).isEmpty();
		assertThat(client.failure()).isEmpty();
		assertThat(probe.states).containsExactly(LivenessState.CORRECT);
	}

	private static LivenessState liveness(ConfigurableApplicationContext context) {
		return context.getBean(ApplicationAvailability.class).getLivenessState();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ GreeterService.class, Caller.class, Probe.class })
	static class Application {

	}

	/** Ends the event loop that it runs on when it is told to. */
	@RpcService
	static class GreeterService implements Greeter {

		@Override
		public String greet(String name) {
			if (name.equals("end")) {
				EventExecutor loop = Objects.requireNonNull(ThreadExecutorMap.currentExecutor());
				loop.schedule(() -> loop.shutdownGracefully(0, 0, TimeUnit.SECONDS), 100, TimeUnit.MILLISECONDS);
			}
			return "Hello " + name;
		}

	}

	static class Caller {

		@RpcReference
		private Greeter greeter;

	}

	/** Keeps what is said of liveness. */
	static class Probe {

		private final Queue<LivenessState> states = new ConcurrentLinkedQueue<>();

		@EventListener
		void on(AvailabilityChangeEvent<LivenessState> event) {
			this.states.addAll(List.of(event.getState()));
		}

	}

}
