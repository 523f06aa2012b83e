package io.rpcboot.spring.autoconfigure.client;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.rpcboot.client.RpcClient;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import jakarta.annotation.PreDestroy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.TaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Calls of an application that ends, to another one that stays. */
@Timeout(120)
class CallsAtShutdownIntegrationTests {

	private final SessionsImpl sessions = new SessionsImpl();

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.bindAddress("127.0.0.1")
		.service(Sessions.class, this.sessions)
		.start();

	@AfterEach
	void stop() {
		this.server.close();
	}

	private SpringApplication application(Class<?>... beans) {
		return Applications.application(WebApplicationType.NONE, beans);
	}

	private String[] arguments() {
		return Stream
			.of("rpc.client.references.sessions.addresses=127.0.0.1:" + this.server.port(),
					"rpc.client.shutdown.grace-period=20s", "spring.lifecycle.timeout-per-shutdown-phase=100ms",
					"spring.task.execution.shutdown.await-termination=true",
					"spring.task.execution.shutdown.await-termination-period=60s",
					"spring.task.execution.pool.core-size=1", "spring.task.scheduling.shutdown.await-termination=true",
					"spring.task.scheduling.shutdown.await-termination-period=60s")
			.map((each) -> "--" + each)
			.toArray(String[]::new);
	}

	static Stream<Arguments> users() {
		return Stream.of(Arguments.of("@PreDestroy", new Class<?>[] { PreDestroyed.class }),
				Arguments.of("DisposableBean", new Class<?>[] { Disposable.class }),
				Arguments.of("destroyMethod", new Class<?>[] { WithDestroyMethod.class }),
				Arguments.of("lifecycle of the lowest phase", new Class<?>[] { LowestPhase.class }),
				Arguments.of("@Async", new Class<?>[] { AsyncJobs.class, AsyncStarter.class, Gate.class }),
				Arguments.of("@Scheduled", new Class<?>[] { ScheduledJob.class, Gate.class }),
				Arguments.of("own executor, declared first",
						new Class<?>[] { PoolConfiguration.class, PooledJobs.class, Gate.class }),
				Arguments.of("own executor, declared last",
						new Class<?>[] { PooledJobs.class, Gate.class, PoolConfiguration.class }),
				Arguments.of("queue of another bean", new Class<?>[] { Outbox.class, Sender.class }),
				Arguments.of("event of a destroy method", new Class<?>[] { Publisher.class, Listener.class }),
				Arguments.of("ObjectProvider", new Class<?>[] { WithProvider.class }),
				Arguments.of("bean behind an interface", new Class<?>[] { HiddenConfiguration.class }),
				Arguments.of("client bean of the application",
						new Class<?>[] { PreDestroyed.class, ClientConfiguration.class }));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("users")
	void call_succeeds_whileApplicationEnds(String user, Class<?>[] beans) {
		ConfigurableApplicationContext context = application(beans).run(arguments());
		RpcClient client = context.getBean(RpcClient.class);
		context.getBeanProvider(Gate.class).ifAvailable(Gate::awaitArrival);
		context.close();
		assertThat(this.sessions.ended).as(user).containsExactly("done");
		assertThat(client.connections()).as("the client is closed").isEmpty();
	}

	@Test
	void call_succeeds_whileLazyApplicationEnds() {
		SpringApplication application = application(PreDestroyed.class, PooledJobs.class, Gate.class,
				PoolConfiguration.class);
		application.setLazyInitialization(true);
		ConfigurableApplicationContext context = application.run(arguments());
		context.getBean(Gate.class).start();
		context.getBean(PooledJobs.class);
		context.getBean(PreDestroyed.class);
		context.close();
		assertThat(this.sessions.ended).containsExactly("done", "done");
	}

	@Test
	void oneWayCalls_arrive_whenApplicationEndsAtOnce() {
		ConfigurableApplicationContext context = application(PreDestroyed.class).run(arguments());
		Sessions reference = context.getBean(PreDestroyed.class).sessions;
		reference.end("first");
		IntStream.range(0, 1000).forEach((number) -> reference.note("n" + number));
		context.close();
		Applications.eventually(() -> this.sessions.noted.size() == 1000);
	}

	@Test
	void oneWayCallsOfDestroyMethod_arrive() {
		ConfigurableApplicationContext context = application(OneWayEnd.class).run(arguments());
		context.close();
		Applications.eventually(() -> this.sessions.noted.size() == 200);
	}

	@Test
	void childReference_callsByParentClient_untilChildEnds() {
		ConfigurableApplicationContext parent = application(PreDestroyed.class).run(arguments());
		ConfigurableApplicationContext child = new SpringApplicationBuilder(ChildConfiguration.class)
			.web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.parent(parent)
			.run(arguments());
		child.close();
		assertThat(this.sessions.ended).containsExactly("done");
		assertThat(parent.getBean(PreDestroyed.class).sessions.end("parent")).isEqualTo("ended parent");
		parent.close();
		assertThat(this.sessions.ended).containsExactly("done", "parent", "done");
	}

	@Test
	void childrenCall_beforeParentClientCloses_whenParentEnds() {
		ConfigurableApplicationContext parent = application(PreDestroyed.class).run(arguments());
		new SpringApplicationBuilder(ChildConfiguration.class).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.parent(parent)
			.run(arguments());
		parent.close();
		assertThat(this.sessions.ended).containsExactly("done", "done");
	}

	@Test
	void client_calls_afterContextStoppedAndStartedAgain() {
		try (ConfigurableApplicationContext context = application(PreDestroyed.class).run(arguments())) {
			Sessions reference = context.getBean(PreDestroyed.class).sessions;
			context.stop();
			assertThat(reference.end("stopped")).isEqualTo("ended stopped");
			context.start();
			assertThat(reference.end("started")).isEqualTo("ended started");
			context.pause();
			assertThat(reference.end("paused")).isEqualTo("ended paused");
			context.restart();
			assertThat(reference.end("restarted")).isEqualTo("ended restarted");
		}
		assertThat(this.sessions.ended).containsExactly("stopped", "started", "paused", "restarted", "done");
	}

	@Test
	void destroyMethod_calls_whenRunnerFails() {
		SpringApplication application = application(PreDestroyed.class, Failing.class);
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> application.run(arguments()));
		assertThat(this.sessions.ended).containsExactly("done");
	}

	static class SessionsImpl implements Sessions {

		private final Queue<String> ended = new ConcurrentLinkedQueue<>();

		private final Queue<String> noted = new ConcurrentLinkedQueue<>();

		@Override
		public String end(String who) {
			this.ended.add(who);
			return "ended " + who;
		}

		@Override
		public void note(String what) {
			this.noted.add(what);
		}

	}

	static class PreDestroyed {

		@RpcReference(name = "sessions")
		private Sessions sessions;

		@PreDestroy
		void end() {
			this.sessions.end("done");
		}

	}

	record Disposable(@RpcReference(name = "sessions") Sessions sessions) implements DisposableBean {

		@Override
		public void destroy() {
			this.sessions.end("done");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Disposable.class)
	static class ChildConfiguration {

	}

	@Configuration(proxyBeanMethods = false)
	static class WithDestroyMethod {

		@Bean(destroyMethod = "finish")
		Finisher finisher(@RpcReference(name = "sessions") Sessions sessions) {
			return new Finisher(sessions);
		}

	}

	record Finisher(Sessions sessions) {

		public void finish() {
			this.sessions.end("done");
		}

	}

	static class LowestPhase implements SmartLifecycle {

		@RpcReference(name = "sessions")
		private Sessions sessions;

		private volatile boolean running;

		@Override
		public void start() {
			this.running = true;
		}

		@Override
		public void stop() {
			this.running = false;
			this.sessions.end("done");
		}

		@Override
		public boolean isRunning() {
			return this.running;
		}

		@Override
		public int getPhase() {
			return Integer.MIN_VALUE;
		}

	}

	/** Opens when all lifecycles have stopped, before the first bean is destroyed. */
	static class Gate extends LowestPhase {

		private final CountDownLatch arrived = new CountDownLatch(1);

		private final CountDownLatch open = new CountDownLatch(1);

		@Override
		public void stop() {
			this.open.countDown();
		}

		void pass() {
			this.arrived.countDown();
			await(this.open);
		}

		/** Waits until the job that waits for this gate has begun. */
		void awaitArrival() {
			await(this.arrived);
		}

		private static void await(CountDownLatch latch) {
			try {
				assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	@EnableAsync
	static class AsyncJobs {

		@RpcReference(name = "sessions")
		private Sessions sessions;

		@Async
		public void later(Gate gate) {
			gate.pass();
			this.sessions.end("done");
		}

	}

	record AsyncStarter(AsyncJobs jobs, Gate gate) implements InitializingBean {

		@Override
		public void afterPropertiesSet() {
			this.jobs.later(this.gate);
		}

	}

	@EnableScheduling
	static class ScheduledJob {

		private final Gate gate;

		@RpcReference(name = "sessions")
		private Sessions sessions;

		ScheduledJob(Gate gate) {
			this.gate = gate;
		}

		@Scheduled(fixedDelay = 1, timeUnit = TimeUnit.HOURS)
		void work() {
			this.gate.pass();
			this.sessions.end("done");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PoolConfiguration {

		@Bean
		ThreadPoolTaskExecutor pool() {
			ThreadPoolTaskExecutor pool = new ThreadPoolTaskExecutor();
			pool.setCorePoolSize(1);
			pool.setWaitForTasksToCompleteOnShutdown(true);
			pool.setAwaitTerminationSeconds(60);
			return pool;
		}

	}

	static class PooledJobs implements InitializingBean {

		private final ObjectProvider<TaskExecutor> pool;

		private final Gate gate;

		@RpcReference(name = "sessions")
		private Sessions sessions;

		PooledJobs(ObjectProvider<TaskExecutor> pool, Gate gate) {
			this.pool = pool;
			this.gate = gate;
		}

		@Override
		public void afterPropertiesSet() {
			TaskExecutor executor = this.pool.getObject();
			executor.execute(this.gate::pass);
			executor.execute(() -> this.sessions.end("done")); // waits in the queue
		}

	}

	static class Sender {

		@RpcReference(name = "sessions")
		private Sessions sessions;

		void send(String message) {
			this.sessions.end(message);
		}

	}

	record Outbox(Sender sender) implements AutoCloseable {

		@Override
		public void close() {
			this.sender.send("done");
		}

	}

	record Publisher(ApplicationEventPublisher events) implements DisposableBean {

		@Override
		public void destroy() {
			this.events.publishEvent("ended");
		}

	}

	static class Listener {

		@RpcReference(name = "sessions")
		private Sessions sessions;

		@EventListener
		void on(String event) {
			this.sessions.end("done");
		}

	}

	static class WithProvider {

		@RpcReference(name = "sessions")
		private ObjectProvider<Sessions> sessions;

		@PreDestroy
		void end() {
			this.sessions.getObject().end("done");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class HiddenConfiguration {

		@Bean
		AutoCloseable hidden() {
			return new Hidden();
		}

	}

	static class Hidden implements AutoCloseable {

		@RpcReference(name = "sessions")
		private Sessions sessions;

		@Override
		public void close() {
			this.sessions.end("done");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ClientConfiguration {

		@Bean
		RpcClient ownClient() {
			return RpcClient.builder().timeout(Duration.ofSeconds(20)).build();
		}

	}

	static class OneWayEnd {

		@RpcReference(name = "sessions")
		private Sessions sessions;

		@PreDestroy
		void end() {
			for (int number = 0; number < 200; number++) {
				this.sessions.note("n" + number);
			}
		}

	}

	static class Failing implements ApplicationRunner {

		@Override
		public void run(ApplicationArguments arguments) {
			throw new IllegalStateException("broken");
		}

	}

}
