package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcConnection;
import io.rpcboot.context.RpcContext;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.LogLines;
import io.rpcboot.spring.logging.AccessLogInterceptor;
import io.rpcboot.transport.ConnectionInfo;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.RpcConnectionListener;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.MDC;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.authentication.event.AbstractAuthenticationEvent;
import org.springframework.security.authentication.event.AbstractAuthenticationFailureEvent;
import org.springframework.security.authentication.event.AuthenticationSuccessEvent;
import org.springframework.security.authorization.event.AuthorizationDeniedEvent;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The caller on the threads of a call, in method security, logs, events and meters. */
@Tag("jdk25")
class SecurityContextIntegrationTests {

	private static final Map<String, Function<Whereabouts, Object>> METHODS = Map.ofEntries(
			Map.entry("pool", Whereabouts::pool), Map.entry("virtual", Whereabouts::virtual),
			Map.entry("loop", Whereabouts::loop), Map.entry("callback", (service) -> service.callback().join()),
			Map.entry("streamed", (service) -> service.streamed().blockLast()),
			Map.entry("reactive", (service) -> service.reactive().block()),
			Map.entry("wrapped", (service) -> service.wrapped().join()), Map.entry("scoped", Whereabouts::scoped),
			Map.entry("secured", Whereabouts::secured), Map.entry("own", (service) -> service.own("doug")),
			Map.entry("other", (service) -> service.own("somebody")),
			Map.entry("deniedLater", SecurityContextIntegrationTests::deniedLater));

	@TempDir
	static Path files;

	private static SecuredApplication application;

	private final LogLines lines = new LogLines(AccessLogInterceptor.LOGGER);

	@BeforeAll
	static void start() {
		application = new SecuredApplication(files,
				Map.of("rpc.client.enabled", true, "rpc.client.ssl.bundle", "own", "rpc.server.pool.max-threads", 1,
						"rpc.server.services.Whereabouts.methods.virtual.dispatch",
						(Runtime.version().feature() < 21) ? "pool" : "virtual",
						"rpc.server.services.Whereabouts.methods.loop.dispatch", "event-loop",
						"rpc.server.access-log.enabled", true),
				SecuredApplication.Decoder.class, WhereaboutsService.class, EchoService.class, Rules.class,
				Events.class, Closings.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@AfterEach
	void close() {
		application.closeClients();
		this.lines.close();
	}

	private Whereabouts service(Protocol protocol, String certificate, String token) {
		return application.service(Whereabouts.class, protocol, certificate,
				token.isEmpty() ? "" : "Bearer " + Tokens.ISSUER.token(token));
	}

	@ParameterizedTest
	@CsvSource({ "NATIVE, pool", "NATIVE, virtual", "NATIVE, loop", "NATIVE, callback", "NATIVE, wrapped",
			"NATIVE, streamed", "NATIVE, reactive", "GRPC, streamed", "GRPC, reactive", "GRPC, pool", "GRPC, virtual",
			"GRPC, loop", "GRPC, callback", "GRPC, wrapped" })
	void caller_isKnown_onEachThreadOfACall(Protocol protocol, String method) {
		assertThat(METHODS.get(method).apply(service(protocol, "", "vault"))).asString()
			.startsWith("doug [")
			.contains("SCOPE_vault");
		assertThat(METHODS.get(method).apply(service(protocol, "alpha", "")))
			.isEqualTo("spiffe://test/alpha [ROLE_CLERK]");
		assertThat(METHODS.get(method).apply(service(protocol, "", ""))).isEqualTo("anonymousUser [ROLE_ANONYMOUS]");
	}

	@Test
	void context_isCleared_afterTheCall() {
		Whereabouts service = service(Protocol.NATIVE, "alpha", "");
		assertThat(service.pool()).startsWith("spiffe://test/alpha");
		assertThat(service.wrapped().join()).startsWith("spiffe://test/alpha");
		application.closeClients();
		Closings closings = application.context.getBean(Closings.class);
		Applications.eventually(() -> !closings.seen.isEmpty());
		assertThat(closings.seen).as("on the only thread of the pool").containsOnly("null");
		assertThat(application.context.getBean(WhereaboutsService.class).onOwnThread()).isEqualTo("null");
	}

	private static Object deniedLater(Whereabouts service) {
		try {
			return service.deniedLater().join();
		}
		catch (CompletionException ex) {
			throw (RpcException) ex.getCause();
		}
	}

	@ParameterizedTest
	@CsvSource({ "scoped, '', vault, OK", "scoped, '', kitchen, PERMISSION_DENIED",
			"scoped, alpha, '', PERMISSION_DENIED", "scoped, '', '', UNAUTHENTICATED", "secured, alpha, '', OK",
			"secured, beta, '', PERMISSION_DENIED", "secured, '', '', UNAUTHENTICATED", "own, '', vault, OK",
			"other, '', vault, PERMISSION_DENIED", "deniedLater, '', vault, PERMISSION_DENIED",
			"deniedLater, '', '', UNAUTHENTICATED" })
	void methodSecurity_guardsImplementation(String method, String certificate, String token, String expected) {
		for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			Whereabouts service = service(protocol, certificate, token);
			if (expected.equals("OK")) {
				assertThat(METHODS.get(method).apply(service)).isNotNull();
			}
			else {
				RpcException denial = catchThrowableOfType(RpcException.class,
						() -> METHODS.get(method).apply(service));
				assertThat(denial.status()).hasToString(expected);
				assertThat(denial).hasMessageNotContaining("Denied").hasMessageNotContaining("Authoriz");
			}
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void caller_isInLogsConnectionsAndMeters(Protocol protocol) {
		Whereabouts service = service(protocol, "alpha", "");
		assertThat(service.logged()).isEqualTo("spiffe://test/alpha");
		assertThat(service(protocol, "", "vault").logged()).isEqualTo("doug");
		assertThat(service(protocol, "", "").logged()).isEqualTo("null");
		Applications.eventually(() -> this.lines.messages().size() == 3);
		List<String> lines = this.lines.messages();
		assertThat(lines.get(0)).contains(" caller=spiffe://test/alpha protocol=");
		assertThat(lines.get(1)).contains(" caller=doug protocol=");
		assertThat(lines.get(2)).doesNotContain("caller=");
		List<String> proved = (protocol == Protocol.GRPC) ? List.of("spiffe://test/alpha", "doug")
				: List.of("spiffe://test/alpha"); // the token of a call is no proof of a
													// native connection
		assertThat(application.context.getBean(RpcServer.class).connections()).extracting(ConnectionInfo::identity)
			.contains("")
			.containsAll(proved);
		MeterRegistry meters = application.context.getBean(MeterRegistry.class);
		assertThat(proved).allSatisfy((caller) -> {
			FunctionCounter connections = meters.find("rpc.server.connections.identified")
				.tag("caller", caller)
				.functionCounter();
			assertThat(connections.count()).isPositive();
		});
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void events_arePublished_asBySpringSecurity(Protocol protocol) {
		Queue<Object> seen = application.context.getBean(Events.class).seen;
		service(protocol, "", "vault").pool();
		Applications.eventually(() -> seen.stream().anyMatch(AuthenticationSuccessEvent.class::isInstance));
		String bad = Tokens.STRANGER.token("vault");
		Whereabouts stranger = application.service(Whereabouts.class, protocol, "", "Bearer " + bad);
		assertThat(catchThrowableOfType(RpcException.class, stranger::pool).status())
			.isEqualTo(RpcStatus.UNAUTHENTICATED);
		Applications.eventually(() -> seen.stream().anyMatch(AbstractAuthenticationFailureEvent.class::isInstance));
		assertThat(seen).filteredOn(AbstractAuthenticationFailureEvent.class::isInstance)
			.allSatisfy((event) -> assertThat(((AbstractAuthenticationEvent) event).getAuthentication().toString())
				.doesNotContain(bad));
		Whereabouts.Echo echo = application.service(Whereabouts.Echo.class, protocol, "alpha", "");
		assertThat(echo.echo("x").handle((value, failure) -> failure).join()).isNotNull();
		Applications.eventually(() -> seen.stream()
			.anyMatch((event) -> event instanceof AuthorizationDeniedEvent<?> denied
					&& denied.getAuthentication().get().getName().equals("spiffe://test/alpha")
					&& denied.getObject().toString().endsWith("Whereabouts$Echo/echo")));
	}

	private static String caller() {
		return caller(SecurityContextHolder.getContext().getAuthentication());
	}

	private static String caller(@Nullable Authentication caller) {
		return (caller != null) ? caller.getName() + " " + caller.getAuthorities() : "null";
	}

	static class Events {

		final Queue<Object> seen = new ConcurrentLinkedQueue<>();

		@EventListener
		void onAuthentication(AbstractAuthenticationEvent event) {
			this.seen.add(event);
		}

		@EventListener
		void onDenial(AuthorizationDeniedEvent<?> event) {
			this.seen.add(event);
		}

	}

	static class Closings implements RpcConnectionListener {

		final Queue<String> seen = new ConcurrentLinkedQueue<>();

		@Override
		public void closed(RpcConnection connection, String reason) {
			this.seen.add(caller());
		}

	}

	@EnableMethodSecurity(securedEnabled = true)
	static class Rules {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

		@Bean
		RpcSecurity rpcSecurity() {
			return RpcSecurity
				.authorizeCalls((calls) -> calls.services(Whereabouts.class)
					.permitAll()
					.services(Whereabouts.Echo.class)
					.hasCertificate("vault"))
				.withAuthorities((caller) -> caller.names().contains("alpha")
						? AuthorityUtils.createAuthorityList("ROLE_CLERK") : List.of());
		}

	}

	@RpcService(interfaces = Whereabouts.Echo.class)
	public static class EchoService implements Whereabouts.Echo {

		@Override
		public CompletableFuture<String> echo(String text) {
			return CompletableFuture.completedFuture(text);
		}

	}

	@RpcService(interfaces = Whereabouts.class)
	public static class WhereaboutsService implements Whereabouts {

		@RpcReference
		Whereabouts.Echo echo;

		private final ExecutorService thread = Executors.newSingleThreadExecutor((task) -> {
			Thread created = new Thread(task);
			created.setDaemon(true);
			return created;
		});

		String onOwnThread() {
			return CompletableFuture.supplyAsync(SecurityContextIntegrationTests::caller, this.thread).join();
		}

		@Override
		public String pool() {
			return caller();
		}

		@Override
		public String virtual() {
			return caller();
		}

		@Override
		public String loop() {
			return caller();
		}

		@Override
		public CompletableFuture<String> callback() {
			return this.echo.echo("x").thenApply((text) -> caller());
		}

		@Override
		public CompletableFuture<String> wrapped() {
			return CompletableFuture.supplyAsync(SecurityContextIntegrationTests::caller,
					RpcContext.current().wrap(this.thread));
		}

		@Override
		public CompletableFuture<String> deniedLater() {
			return CompletableFuture.supplyAsync(() -> {
				throw new AccessDeniedException("Denied: secret of the implementation");
			}, this.thread);
		}

		@Override
		public Flux<String> streamed() {
			return reactive().flux();
		}

		@Override
		public Mono<String> reactive() {
			return Mono.delay(Duration.ofMillis(20))
				.then(ReactiveSecurityContextHolder.getContext())
				.map((context) -> caller(context.getAuthentication()));
		}

		@Override
		public String logged() {
			return String.valueOf(MDC.get("rpc.caller"));
		}

		@Override
		@PreAuthorize("hasAuthority('SCOPE_vault')")
		public String scoped() {
			return caller();
		}

		@Override
		@PostAuthorize("returnObject == authentication.name")
		public String own(String owner) {
			return owner;
		}

		@Override
		@Secured("ROLE_CLERK")
		public String secured() {
			return caller();
		}

	}

}
