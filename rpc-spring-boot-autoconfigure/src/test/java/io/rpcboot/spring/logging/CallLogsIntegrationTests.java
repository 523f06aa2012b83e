package io.rpcboot.spring.logging;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.interceptor.RpcServerInterceptor;
import io.rpcboot.server.Dispatch;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Tests the log of calls: attachments in its lines, and a line for each call. */
@Timeout(120)
@Tag("jdk25")
class CallLogsIntegrationTests {

	private final List<AutoCloseable> open = new ArrayList<>();

	/** What the MDC of an implementation held, by where it was. */
	private final Queue<Map<String, String>> seen = new ConcurrentLinkedQueue<>();

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	private final Logger logger = (Logger) LoggerFactory.getLogger(AccessLogInterceptor.LOGGER);

	private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {

		@Override
		protected void append(ILoggingEvent event) {
			CallLogsIntegrationTests.this.lines.add(event.getFormattedMessage());
		}

	};

	@BeforeEach
	void listen() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setLevel(Level.INFO);
	}

	@AfterEach
	void close() throws Exception {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
		for (int i = this.open.size() - 1; i >= 0; i--) {
			this.open.get(i).close();
		}
	}

	private final class Implementation implements Chores {

		private final ExecutorService threads = Executors.newSingleThreadExecutor();

		private void see(String where) {
			Map<String, String> all = MDC.getCopyOfContextMap();
			Map<String, String> entries = (all != null) ? new TreeMap<>(all) : new TreeMap<>();
			entries.put("where", where);
			CallLogsIntegrationTests.this.seen.add(entries);
		}

		@Override
		public String now(String word, int number) {
			see("now");
			return word;
		}

		@Override
		public CompletableFuture<String> later(String word) {
			see("later");
			ExecutorService taking = ContextExecutorService.wrap(this.threads,
					ContextSnapshotFactory.builder().build()::captureAll);
			return CompletableFuture.runAsync(() -> see("elsewhere"), taking)
				.thenRunAsync(() -> see("afterwards"), this.threads)
				.thenApply((nothing) -> word);
		}

		@Override
		public void told(String word) {
			see("told");
		}

		@Override
		public String fail(String word) {
			throw new IllegalStateException(word);
		}

	}

	private Chores chores(Dispatch dispatch, String application, RpcServerInterceptor... interceptors) {
		assumeTrue(dispatch != Dispatch.VIRTUAL || Runtime.version().feature() >= 21, "Java has virtual threads");
		RpcServerBuilder builder = RpcServer.builder().port(0).maxThreads(1);
		List.of(interceptors).forEach(builder::interceptor);
		Implementation implementation = new Implementation();
		this.open.add(implementation.threads::shutdownNow);
		RpcServer server = builder
			.service(ServiceDescriptor.of(Chores.class), () -> implementation,
					ServiceOptions.defaults().withDispatch(dispatch))
			.start();
		this.open.add(server);
		RpcClient client = RpcClient.builder().applicationName(application).build();
		this.open.add(client);
		return client.reference(Chores.class,
				ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", server.port())));
	}

	private static Map<String, String> at(String where, String... entries) {
		Map<String, String> all = new HashMap<>(Map.of("where", where));
		for (int i = 0; i < entries.length; i += 2) {
			all.put(entries[i], entries[i + 1]);
		}
		return all;
	}

	@ParameterizedTest
	@EnumSource(Dispatch.class)
	void selectedAttachments_areLoggedOnlyForTheirCall(Dispatch dispatch) throws Exception {
		Chores chores = chores(dispatch, "till", new LogAttachmentsInterceptor(List.of("tenantId", "user")));
		CallOptions options = CallOptions.with("TenantID", "acme").and("secret", "x");
		options.call(() -> chores.now("a", 1));
		chores.now("b", 2);
		assertThat(this.seen).containsExactly(at("now", "tenantId", "acme"), at("now"));
		this.seen.clear();
		options.call(() -> chores.later("c")).get(10, TimeUnit.SECONDS);
		chores.later("d").get(10, TimeUnit.SECONDS);
		assertThat(this.seen).containsExactly(at("later", "tenantId", "acme"), at("elsewhere", "tenantId", "acme"),
				at("afterwards"), at("later"), at("elsewhere"), at("afterwards"));
		this.seen.clear();
		options.run(() -> chores.told("e"));
		chores.told("f");
		await().until(() -> this.seen.size() == 2);
		assertThat(this.seen).containsExactlyInAnyOrder(at("told", "tenantId", "acme"), at("told"));
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> options.call(() -> chores.fail("g")));
		this.seen.clear();
		chores.now("h", 1);
		assertThat(this.seen).as("after a failure").containsExactly(at("now"));
	}

	@Test
	void attachment_isSanitizedAndCut_inLog() throws Exception {
		Chores chores = chores(Dispatch.POOL, "till", new LogAttachmentsInterceptor(List.of("tenant")));
		CallOptions.with("tenant", "a\r\n2026-01-01 INFO all is well" + "x".repeat(5_000))
			.call(() -> chores.now("a", 1));
		assertThat(this.seen.remove().get("tenant")).startsWith("a??2026-01-01 INFO all is well").hasSize(128);
	}

	@Test
	void logEntriesOfThread_areRestored() {
		MDC.put("tenant", "own");
		try {
			LogEntries.set(Map.of("tenant", "acme", "user", "jim"));
			LogEntries.set(Map.of("tenant", "giant"));
			assertThat(MDC.get("tenant")).isEqualTo("giant");
			assertThat(MDC.get("user")).isNull();
			LogEntries.set(null);
			assertThat(MDC.get("tenant")).isEqualTo("own");
			assertThat(LogEntries.current()).isNull();
		}
		finally {
			MDC.clear();
		}
	}

	@Test
	void accessLog_hasOneLinePerCall() throws Exception {
		Chores chores = chores(Dispatch.POOL, "a \"till\"\n", (call) -> {
			call.traceId("4bf92f3577b34da6a3ce929d0e0e4736");
			return call.proceed();
		}, new AccessLogInterceptor(1));
		chores.now("secret", 1);
		String chore = "service=" + Chores.class.getName();
		String begin = "peer=127\\.0\\.0\\.1:\\d+ claimed-application=\"a \\\\\"till\\\\\" \" protocol=native ";
		String end = " millis=\\d+\\.\\d{3} trace=4bf92f3577b34da6a3ce929d0e0e4736";
		assertThat(line()).matches(begin + chore + " method=\"?now\\(java\\.lang\\.String, ?int\\)\"? status=OK" + end);
		chores.later("secret").get(10, TimeUnit.SECONDS);
		assertThat(line()).matches(begin + chore + " method=later\\(java\\.lang\\.String\\) status=OK" + end);
		chores.told("secret");
		assertThat(line()).contains("method=told(java.lang.String) status=OK");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> chores.fail("secret"));
		assertThat(line()).contains("method=fail(java.lang.String) status=APPLICATION").doesNotContain("secret");
	}

	private String line() throws InterruptedException {
		return String.valueOf(this.lines.poll(10, TimeUnit.SECONDS));
	}

	@Test
	void failedCall_isLogged_whenSamplingIsZero() throws Exception {
		Chores chores = chores(Dispatch.POOL, "", new AccessLogInterceptor(0));
		for (int i = 0; i < 20; i++) {
			chores.now("a", i);
		}
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> chores.fail("b"));
		assertThat(line()).contains("status=APPLICATION")
			.doesNotContain("claimed-application")
			.doesNotContain("trace=");
		assertThat(this.lines).isEmpty();
	}

	@Test
	void accessLog_hasShareOfCalls_withSampling() {
		Chores chores = chores(Dispatch.POOL, "", new AccessLogInterceptor(0.5));
		for (int i = 0; i < 400; i++) {
			chores.now("a", i);
		}
		await().atMost(Duration.ofSeconds(10)).until(() -> this.lines.size() > 100);
		assertThat(this.lines.size()).as("of 400, ten standard deviations around the half").isBetween(101, 299);
	}

	@Test
	void accessLog_isEmpty_whenLoggerIsDisabled() {
		this.logger.setLevel(Level.WARN);
		Chores chores = chores(Dispatch.POOL, "", new AccessLogInterceptor(1));
		assertThat(chores.now("a", 1)).isEqualTo("a");
		assertThatExceptionOfType(RpcException.class).isThrownBy(() -> chores.fail("b"));
		assertThat(this.lines).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(doubles = { -0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY })
	void invalidSampling_isRejected(double sampling) {
		assertThatExceptionOfType(InvalidOptionException.class).isThrownBy(() -> new AccessLogInterceptor(sampling))
			.withMessageContaining("access-log.sampling: " + sampling + " (expected: 0 (failures only) to 1)");
	}

	@Test
	void invalidAttachmentName_isRejected() {
		assertThatExceptionOfType(InvalidOptionException.class)
			.isThrownBy(() -> new LogAttachmentsInterceptor(List.of("a b")))
			.withMessageContaining("log-attachments: 'a b'");
	}

}
