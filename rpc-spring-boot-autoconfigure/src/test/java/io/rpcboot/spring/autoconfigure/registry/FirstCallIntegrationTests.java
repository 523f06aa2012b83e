package io.rpcboot.spring.autoconfigure.registry;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.RpcException;
import io.rpcboot.RpcMethod;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.RpcClient;
import io.rpcboot.registry.Registry;
import io.rpcboot.registry.RegistryState;
import io.rpcboot.registry.zookeeper.EmbeddedZooKeeper;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** The first call to a server that is registered, or will be, and not yet named. */
@Timeout(180)
class FirstCallIntegrationTests {

	private static final int STARTS = Boolean.getBoolean("rpc.test.long") ? 5 : 2;

	private static final AtomicInteger roots = new AtomicInteger();

	@SuppressWarnings("NullAway.Init")
	private static EmbeddedZooKeeper zooKeeper;

	private final Map<String, Object> properties = new LinkedHashMap<>(
			Map.of("spring.application.name", "notes", "rpc.client.timeout", "60s", "rpc.client.wait-for-instance",
					"60s", "rpc.client.warm-up", "0", "rpc.registry.zookeeper.connect-string",
					zooKeeper.connectString(), "rpc.registry.zookeeper.root-path", "/test" + roots.incrementAndGet()));

	@BeforeAll
	static void startZooKeeper() {
		zooKeeper = new EmbeddedZooKeeper();
	}

	@AfterAll
	static void stopZooKeeper() {
		zooKeeper.close();
	}

	private ConfigurableApplicationContext run(Class<?>... beans) {
		return Applications.run(WebApplicationType.NONE, this.properties, beans);
	}

	/** A consumer that has asked the registry before there is a provider. */
	private ConfigurableApplicationContext runConsumer() {
		ConfigurableApplicationContext context = run(User.class);
		RpcClient client = context.getBean(RpcClient.class);
		Applications.eventually(() -> client.references().stream().allMatch(ReferenceInfo::isResolved));
		return context;
	}

	private static Notes notes(ConfigurableApplicationContext context) {
		return context.getBean(User.class).notes;
	}

	@Test
	void call_succeeds_rightAfterStart() {
		for (int start = 0; start < STARTS; start++) {
			try (ConfigurableApplicationContext context = run(DefaultNotes.class, User.class)) {
				assertThat(notes(context).note("x")).isEqualTo("noted x");
			}
		}
	}

	@Test
	void futureAndOneWayCall_succeed_rightAfterStart() {
		try (ConfigurableApplicationContext context = run(DefaultNotes.class, User.class)) {
			CompletableFuture<String> future = notes(context).later("x");
			notes(context).drop("y");
			assertThat(future.join()).isEqualTo("noted x");
			Applications.eventually(() -> context.getBean(DefaultNotes.class).noted.contains("y"));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { ReadyListener.class, ReadinessListener.class })
	void call_succeeds_inListenerOfReadyApplication(Class<? extends Answered> listener) {
		try (ConfigurableApplicationContext context = run(DefaultNotes.class, listener)) {
			assertThat(((Answered) context.getBean(listener)).answers).containsExactly("noted x");
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { EarlyBean.class, StartedListener.class, RunnerConfiguration.class })
	void futureAndOneWayCall_succeed_beforeServerIsRegistered(Class<?> caller) {
		try (ConfigurableApplicationContext context = run(DefaultNotes.class, caller)) {
			Early early = context.getBean(Early.class);
			assertThat(early.future().join()).isEqualTo("noted early");
			Applications.eventually(() -> context.getBean(DefaultNotes.class).noted.contains("one-way"));
		}
	}

	@ParameterizedTest
	@ValueSource(classes = { EarlyBean.class, StartedListener.class, RunnerConfiguration.class })
	void futureAndOneWayCall_succeed_beforeServerIsRegisteredInMemory(Class<?> caller) {
		this.properties.remove("rpc.registry.zookeeper.connect-string");
		futureAndOneWayCall_succeed_beforeServerIsRegistered(caller);
	}

	@Test
	void call_succeeds_inConsumerThatStartedBeforeProvider() {
		try (ConfigurableApplicationContext consumer = runConsumer();
				ConfigurableApplicationContext provider = run(DefaultNotes.class)) {
			assertThat(notes(consumer).note("x")).isEqualTo("noted x");
			assertThat(provider.isActive()).isTrue();
		}
	}

	@Test
	void attribute_decidesHowLongCallWaits() {
		this.properties.put("rpc.client.wait-for-instance", "0");
		try (ConfigurableApplicationContext context = run(DefaultNotes.class, PatientUser.class, User.class)) {
			assertThat(context.getBean(PatientUser.class).notes.note("x")).isEqualTo("noted x");
		}
	}

	@Test
	void call_failsAtOnce_withoutWaitForInstance() {
		this.properties.put("rpc.client.wait-for-instance", "0");
		try (ConfigurableApplicationContext consumer = runConsumer()) {
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> notes(consumer).note("x"))
				.withMessageContaining("no instance of it is known to zookeeper at")
				.extracting(RpcException::status)
				.isEqualTo(RpcStatus.UNAVAILABLE);
		}
	}

	@Test
	void call_succeeds_afterProviderCameBackAtAnotherPort() {
		try (ConfigurableApplicationContext consumer = runConsumer()) {
			for (int start = 0; start < STARTS; start++) {
				try (ConfigurableApplicationContext provider = run(DefaultNotes.class)) {
					assertThat(notes(consumer).note("x")).isEqualTo("noted x");
					assertThat(provider.isActive()).isTrue();
				}
			}
		}
	}

	@Test
	void call_succeeds_afterOperatorBroughtServerOnline() {
		try (ConfigurableApplicationContext provider = run(OfflineAtStart.class, DefaultNotes.class);
				ConfigurableApplicationContext consumer = runConsumer()) {
			assertThat(provider.getBean(RpcServer.class).registeredLocation()).isEmpty();
			provider.getBean(RpcServer.class).online("test");
			assertThat(notes(consumer).note("x")).isEqualTo("noted x");
		}
	}

	@Test
	void call_succeeds_afterApplicationAcceptsTrafficAgain() {
		try (ConfigurableApplicationContext provider = run(DefaultNotes.class)) {
			AvailabilityChangeEvent.publish(provider, ReadinessState.REFUSING_TRAFFIC);
			try (ConfigurableApplicationContext consumer = runConsumer()) {
				AvailabilityChangeEvent.publish(provider, ReadinessState.ACCEPTING_TRAFFIC);
				assertThat(notes(consumer).note("x")).isEqualTo("noted x");
			}
		}
	}

	@Test
	void call_succeeds_afterOutageOfRegistryInWhichProviderStarted(@TempDir Path directory) {
		EmbeddedZooKeeper own = new EmbeddedZooKeeper(0, directory);
		int port = own.port();
		this.properties.put("rpc.registry.zookeeper.connect-string", own.connectString());
		try (ConfigurableApplicationContext consumer = runConsumer()) {
			own.close();
			Registry registry = consumer.getBean(Registry.class);
			Applications.eventually(() -> registry.state() == RegistryState.DISCONNECTED);
			try (ConfigurableApplicationContext provider = run(DefaultNotes.class)) {
				CompletableFuture<String> call = notes(consumer).later("x");
				own = new EmbeddedZooKeeper(port, directory);
				assertThat(call.join()).isEqualTo("noted x");
				assertThat(provider.isActive()).isTrue();
			}
		}
		finally {
			own.close();
		}
	}

	/** Service of these tests. */
	public interface Notes {

		String note(String text);

		CompletableFuture<String> later(String text);

		@RpcMethod(oneWay = true)
		void drop(String text);

	}

	@RpcService
	static class DefaultNotes implements Notes {

		private final Queue<String> noted = new ConcurrentLinkedQueue<>();

		@Override
		public String note(String text) {
			return "noted " + text;
		}

		@Override
		public CompletableFuture<String> later(String text) {
			return CompletableFuture.completedFuture("noted " + text);
		}

		@Override
		public void drop(String text) {
			this.noted.add(text);
		}

	}

	static class User {

		@RpcReference
		private Notes notes;

	}

	static class PatientUser {

		@RpcReference(waitForInstance = "60s")
		private Notes notes;

	}

	/** Keeps the answer to a blocking call. */
	abstract static class Answered {

		@RpcReference
		private Notes notes;

		private final Queue<String> answers = new ConcurrentLinkedQueue<>();

		void call() {
			this.answers.add(this.notes.note("x"));
		}

	}

	static class ReadyListener extends Answered {

		@EventListener(ApplicationReadyEvent.class)
		void ready() {
			call();
		}

	}

	static class ReadinessListener extends Answered {

		@EventListener
		void changed(AvailabilityChangeEvent<ReadinessState> event) {
			if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
				call();
			}
		}

	}

	/** A caller that does not wait for its answer. */
	interface Early {

		CompletableFuture<String> future();

	}

	static class EarlyCalls implements Early {

		@RpcReference
		private Notes notes;

		private CompletableFuture<String> future = new CompletableFuture<>();

		void begin() {
			this.future = this.notes.later("early");
			this.notes.drop("one-way");
		}

		@Override
		public CompletableFuture<String> future() {
			return this.future;
		}

	}

	static class EarlyBean extends EarlyCalls implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
			begin();
		}

	}

	static class StartedListener extends EarlyCalls {

		@EventListener(ApplicationStartedEvent.class)
		void started() {
			begin();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RunnerConfiguration {

		@Bean
		EarlyCalls earlyCalls() {
			return new EarlyCalls();
		}

		@Bean
		ApplicationRunner runner(EarlyCalls calls) {
			return (arguments) -> calls.begin();
		}

	}

	/** An operator took the server out before the application was ready. */
	record OfflineAtStart(RpcServer server) implements ApplicationRunner {

		@Override
		public void run(ApplicationArguments arguments) {
			this.server.offline("test");
		}

	}

}
