package io.rpcboot.spring.autoconfigure.diagnostics;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.rpcboot.ServiceId;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.ServiceInstance;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.Greeter;
import io.rpcboot.spring.OtherRegistry;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.Applications.GreeterService;
import io.rpcboot.spring.autoconfigure.registry.RpcRegistryAutoConfiguration;
import io.rpcboot.spring.autoconfigure.serialization.RpcSerializationAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.metrics.buffering.BufferingApplicationStartup;
import org.springframework.boot.context.metrics.buffering.StartupTimeline.TimelineEvent;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.metrics.StartupStep.Tag;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the log lines of a start about offered and referenced services. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class StartupReportTests {

	private static final String NO_PROVIDER = "No bean of this process offers";

	private final Logger logger = (Logger) LoggerFactory.getLogger("rpc");

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withPropertyValues("rpc.server.port=0", "rpc.server.shutdown.grace-period=0")
		.withConfiguration(AutoConfigurations.of(RpcClientAutoConfiguration.class, RpcRegistryAutoConfiguration.class,
				RpcSerializationAutoConfiguration.class, RpcServerAutoConfiguration.class));

	@BeforeEach
	void showInfo() {
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void hideInfo() {
		this.logger.setLevel(null);
	}

	@Test
	void report_hasOneLinePerSide(CapturedOutput output) {
		this.runner.withBean(GreeterService.class).withBean(User.class).run((context) -> {
			String port = context.getEnvironment().getRequiredProperty("local.rpc.port");
			assertThat(infos(output)).containsExactly("RPC server on 127.0.0.1:" + port
					+ " offers io.rpcboot.spring.Greeter over native, gRPC and HTTP; registered in the in-memory registry (this process only)",
					"RPC client seeks io.rpcboot.spring.Greeter in the in-memory registry (this process only)");
		});
	}

	@Test
	void report_namesAddressesAndRegistry(CapturedOutput output) {
		this.runner.withBean(OtherRegistry.class)
			.withBean(User.class)
			.withBean(SecondUser.class)
			.withPropertyValues("rpc.client.references.second.addresses=127.0.0.1:2,127.0.0.1:1",
					"rpc.client.warm-up=0")
			.run((context) -> assertThat(infos(output))
				.containsExactly("RPC client seeks io.rpcboot.spring.Greeter in another registry; "
						+ "io.rpcboot.spring.Greeter:2@eu at 127.0.0.1:1, 127.0.0.1:2"));
	}

	/** Its server is registered when the application accepts traffic. */
	@Test
	void localService_causesNoWarning(CapturedOutput output) {
		try (ConfigurableApplicationContext context = Applications.run(
				WebApplicationType.NONE, Map.of("spring.application.name", "greetings",
						"rpc.server.shutdown.grace-period", "0", "logging.level.rpc", "info"),
				OtherRegistry.class, User.class, GreeterService.class)) {
			assertThat(context.isRunning()).isTrue();
		}
		assertThat(infos(output)).anyMatch((line) -> line.endsWith("; registered in another registry"));
		assertThat(warnings(output)).isEmpty();
	}

	@Test
	void warning_saysRegistryHasNotAnswered_whenRegistryIsSilent(CapturedOutput output) {
		this.runner.withBean(SilentRegistry.class)
			.withBean(User.class)
			.withPropertyValues("rpc.client.warm-up=1ms")
			.run((context) -> assertThat(warnings(output)).singleElement()
				.asString()
				.endsWith("without an instance of io.rpcboot.spring.Greeter: no instance of it is known to "
						+ "another registry, which has not answered yet"));
	}

	@Test
	void report_saysServerIsNotRegistered_withoutRegistry(CapturedOutput output) {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.registry.type=none")
			.run((context) -> assertThat(infos(output)).singleElement()
				.asString()
				.endsWith(
						"offers io.rpcboot.spring.Greeter over native, gRPC and HTTP; not registered, because it has no registry"));
	}

	@Test
	void report_saysServerWillBeRegistered_whenRegistryIsConnecting(CapturedOutput output) {
		this.runner.withBean(GreeterService.class)
			.withBean(AwayRegistry.class)
			.withPropertyValues("spring.application.name=greetings")
			.run((context) -> assertThat(infos(output)).singleElement()
				.asString()
				.endsWith(
						"offers io.rpcboot.spring.Greeter over native, gRPC and HTTP; will be registered in another registry, which is CONNECTING"));
	}

	@Test
	void report_saysNothingToDo_withoutServicesAndReferences(CapturedOutput output) {
		this.runner.run((context) -> assertThat(infos(output))
			.containsExactly("RPC has nothing to do: no bean has @RpcService, no bean has an @RpcReference"));
	}

	@Test
	void report_saysNothingToDo_whenBothSidesAreDisabled(CapturedOutput output) {
		this.runner.withBean(GreeterService.class)
			.withPropertyValues("rpc.server.enabled=false", "rpc.client.enabled=false")
			.run((context) -> assertThat(infos(output))
				.containsExactly("RPC has nothing to do: rpc.server.enabled is false, rpc.client.enabled is false"));
	}

	@Test
	void missingService_causesOneWarning_withInMemoryRegistry(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(User.class)) {
			assertThat(context.isRunning()).isTrue();
		}
		assertThat(warnings(output)).containsExactly(NO_PROVIDER
				+ " io.rpcboot.spring.Greeter, and the in-memory registry ends at this process; "
				+ "nothing is offered here. If another process offers it, set rpc.registry.zookeeper.connect-string "
				+ "or rpc.client.references.<name>.addresses; else annotate its implementation with @RpcService "
				+ "where the component scan finds it");
	}

	@Test
	void warning_namesDisabledServer(CapturedOutput output) {
		try (ConfigurableApplicationContext context = Applications.run(WebApplicationType.NONE,
				Map.of("rpc.server.enabled", "false"), User.class, GreeterService.class)) {
			assertThat(context.isRunning()).isTrue();
		}
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("; nothing is offered here, because rpc.server.enabled is false. If ");
	}

	@Test
	void warning_namesOtherVersionsOfService(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(User.class, SecondUser.class, GreeterService.class)) {
			assertThat(context.getBean(RpcServer.class).services()).hasSize(1);
		}
		assertThat(warnings(output)).singleElement()
			.asString()
			.startsWith(NO_PROVIDER + " io.rpcboot.spring.Greeter:2@eu, and ")
			.contains("; offered here in another version or group: io.rpcboot.spring.Greeter. If ");
	}

	@Test
	void warning_namesOtherOfferedServices(CapturedOutput output) {
		try (ConfigurableApplicationContext context = run(User.class, ClockService.class)) {
			assertThat(context.getBean(RpcServer.class).services()).hasSize(1);
		}
		assertThat(warnings(output)).singleElement()
			.asString()
			.contains("; offered here: " + Clock.class.getName() + ". If ");
	}

	@Test
	void startupSteps_areRecorded() {
		BufferingApplicationStartup startup = new BufferingApplicationStartup(10_000);
		SpringApplication application = Applications.application(WebApplicationType.NONE, GreeterService.class,
				User.class);
		application.setApplicationStartup(startup);
		try (ConfigurableApplicationContext context = application.run()) {
			assertThat(startup.getBufferedTimeline()
				.getEvents()
				.stream()
				.filter((event) -> event.getStartupStep().getName().startsWith("rpc."))
				.map(StartupReportTests::describe))
				.containsExactly("rpc.server.start{endpoint=127.0.0.1:" + Applications.port(context) + ", services=1}",
						"rpc.server.register{services=1}", "rpc.client.warm-up{missing=0, references=1}");
		}
	}

	private static String describe(TimelineEvent event) {
		Map<String, String> tags = new TreeMap<>();
		for (Tag tag : event.getStartupStep().getTags()) {
			tags.put(tag.getKey(), tag.getValue());
		}
		return event.getStartupStep().getName() + tags;
	}

	private static ConfigurableApplicationContext run(Class<?>... beans) {
		return Applications.run(WebApplicationType.NONE, Map.of("rpc.server.shutdown.grace-period", "0"), beans);
	}

	private static List<String> infos(CapturedOutput output) {
		return messages(output, " INFO ").stream().filter((message) -> message.startsWith("RPC ")).toList();
	}

	/** But for those about a connection that was being made when the test ended. */
	private static List<String> warnings(CapturedOutput output) {
		return messages(output, " WARN ").stream().filter((each) -> !each.startsWith("Instance ")).toList();
	}

	private static List<String> messages(CapturedOutput output, String level) {
		return output.getOut()
			.lines()
			.filter((line) -> line.contains(level))
			.map((line) -> line.replaceFirst("^.*? (- |: )", ""))
			.toList();
	}

	static class SilentRegistry extends OtherRegistry {

		@Override
		public Subscription subscribe(ServiceId service, Consumer<List<ServiceInstance>> listener) {
			return () -> {
			};
		}

	}

	static class AwayRegistry extends OtherRegistry {

		@Override
		public RegistryState state() {
			return RegistryState.CONNECTING;
		}

	}

	static class User {

		@RpcReference
		private Greeter greeter;

	}

	static class SecondUser {

		@RpcReference(name = "second", version = "2", group = "eu")
		private Greeter greeter;

	}

	public interface Clock {

		long now();

	}

	@RpcService
	static class ClockService implements Clock {

		@Override
		public long now() {
			return 0;
		}

	}

}
