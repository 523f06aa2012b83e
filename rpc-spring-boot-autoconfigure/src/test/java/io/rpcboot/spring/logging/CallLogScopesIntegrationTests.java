package io.rpcboot.spring.logging;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.RpcContext;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.ServiceOptions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** MDC of the lines that the engine writes for a call, and of callbacks. */
@Timeout(120)
@Tag("jdk25")
class CallLogScopesIntegrationTests {

	private static final CallOptions ACME = CallOptions.with("tenant", "acme");

	private final List<AutoCloseable> open = new ArrayList<>();

	/** Tenant in the MDC of each line, by logger and message. */
	private final Map<String, String> tenants = new ConcurrentHashMap<>();

	private final BlockingQueue<String> inCallbacks = new LinkedBlockingQueue<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger("rpc");

	private final Logger calls = (Logger) LoggerFactory.getLogger("rpc.client.calls");

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			CallLogScopesIntegrationTests.this.tenants.put(event.getLoggerName() + " " + event.getFormattedMessage(),
					String.valueOf(event.getMDCPropertyMap().get("tenant")));
		}

	};

	private @Nullable Chores last;

	@BeforeEach
	void listen() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setLevel(Level.INFO);
		this.calls.setLevel(Level.DEBUG);
	}

	@AfterEach
	void close() throws Exception {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
		this.calls.setLevel(null);
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	/** The last hop: answers late, so that callbacks are registered before. */
	private static final class Last implements Chores {

		@Override
		public String now(String word, int number) {
			return word;
		}

		@Override
		public CompletableFuture<String> later(String word) {
			return new CompletableFuture<String>().completeOnTimeout(word, 20, TimeUnit.MILLISECONDS);
		}

		@Override
		public void told(String word) {
		}

		@Override
		public String fail(String word) {
			throw new RpcException(RpcStatus.NOT_FOUND, word, true);
		}

	}

	/** The middle, which calls on from callbacks. */
	private final class Middle implements Chores {

		private Chores next() {
			Chores known = CallLogScopesIntegrationTests.this.last;
			assertThat(known).isNotNull();
			return known;
		}

		private String see(String word) {
			CallLogScopesIntegrationTests.this.inCallbacks
				.add(MDC.get("tenant") + " " + (RpcContext.current() != null));
			return word;
		}

		@Override
		public String now(String word, int number) {
			return next().fail(word);
		}

		@Override
		public CompletableFuture<String> later(String word) {
			if (word.equals("reactor")) {
				return Mono.fromFuture(next().later(word))
					.map(this::see)
					.publishOn(Schedulers.single())
					.map(this::see)
					.flatMap((any) -> Mono.fromFuture(next().later(any)))
					.map(this::see)
					.contextCapture()
					.toFuture();
			}
			CompletableFuture<String> first = next().later(word).thenApply(this::see);
			return word.equals("broken") ? first.thenApply((any) -> {
				throw new IllegalStateException(word);
			}) : first.thenCompose(next()::later).thenApply(this::see);
		}

		@Override
		public void told(String word) {
			next().later(word).thenApply(this::see);
		}

		@Override
		public String fail(String word) {
			throw new IllegalStateException(word);
		}

	}

	private Chores chores(Chores implementation, Dispatch dispatch) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		RpcServer server = RpcServer.builder()
			.port(0)
			.interceptor(new AccessLogInterceptor(1))
			.interceptor(new LogAttachmentsInterceptor(List.of("tenant")))
			.service(ServiceDescriptor.of(Chores.class), () -> implementation,
					ServiceOptions.defaults().withDispatch(dispatch))
			.start();
		this.open.add(server);
		RpcClient client = RpcClient.builder().build();
		this.open.add(client);
		return client.reference(Chores.class,
				ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
	}

	private Chores chain(Dispatch dispatch) {
		this.last = chores(new Last(), Dispatch.POOL);
		return chores(new Middle(), dispatch);
	}

	private void assertLine(String logger, String text) {
		await().untilAsserted(() -> assertThat(this.tenants.entrySet())
			.filteredOn((line) -> line.getKey().startsWith(logger + " ") && line.getKey().contains(text))
			.isNotEmpty()
			.allSatisfy((line) -> assertThat(line.getValue()).as(line.getKey()).isEqualTo("acme")));
	}

	@ParameterizedTest
	@EnumSource(Dispatch.class)
	void undeclaredExceptionAndAccessLine_haveMdcOfCall(Dispatch dispatch) throws Exception {
		Chores chores = chain(dispatch);
		catchThrowable(() -> ACME.call(() -> chores.fail("a")));
		assertLine("rpc.server", "Undeclared exception: " + Chores.class.getName() + ".fail");
		assertLine(AccessLogInterceptor.LOGGER, "method=fail(java.lang.String) status=APPLICATION");
		catchThrowable(() -> ACME.call(() -> chores.later("broken").join()));
		assertLine("rpc.server", "Undeclared exception: " + Chores.class.getName() + ".later");
	}

	@Test
	void accessLineOfFuture_hasMdcOfCall() throws Exception {
		Chores chores = chain(Dispatch.POOL);
		assertThat(ACME.call(() -> chores.later("a")).get(20, TimeUnit.SECONDS)).isEqualTo("a");
		await().until(() -> this.tenants.keySet().stream().anyMatch((line) -> line.contains("method=later")));
		assertThat(this.tenants.entrySet()).as("the last hop gets no tenant")
			.filteredOn((line) -> line.getKey().contains("method=later"))
			.extracting(Map.Entry::getValue)
			.contains("acme");
	}

	@Test
	void debugLineOfFailedCall_hasMdcOfServedCall() {
		Chores chores = chain(Dispatch.POOL);
		catchThrowable(() -> ACME.call(() -> chores.now("there is none", 1)));
		await().until(() -> this.tenants.entrySet()
			.stream()
			.anyMatch((line) -> line.getKey().startsWith("rpc.client.calls ")
					&& line.getKey().contains("NOT_FOUND after") && line.getValue().equals("acme")));
	}

	@ParameterizedTest
	@EnumSource(Dispatch.class)
	void callbacks_haveMdcOfServedCall(Dispatch dispatch) throws Exception {
		Chores chores = chain(dispatch);
		assertThat(ACME.call(() -> chores.later("a")).get(20, TimeUnit.SECONDS)).isEqualTo("a");
		assertThat(this.inCallbacks).containsExactly("acme true", "acme true");
		this.inCallbacks.clear();
		ACME.run(() -> chores.told("b"));
		assertThat(this.inCallbacks.poll(20, TimeUnit.SECONDS)).isEqualTo("acme true");
		assertThat(chores.later("c").get(20, TimeUnit.SECONDS)).isEqualTo("c");
		assertThat(this.inCallbacks).as("the next call").containsExactly("null true", "null true");
	}

	@Test
	void operatorsOfReactor_haveContextAndMdc_withAutomaticPropagation() throws Exception {
		Hooks.enableAutomaticContextPropagation();
		try {
			Chores chores = chain(Dispatch.POOL);
			assertThat(ACME.call(() -> chores.later("reactor")).get(20, TimeUnit.SECONDS)).isEqualTo("reactor");
			assertThat(this.inCallbacks).containsExactly("acme true", "acme true", "acme true");
		}
		finally {
			Hooks.disableAutomaticContextPropagation();
		}
	}

}
