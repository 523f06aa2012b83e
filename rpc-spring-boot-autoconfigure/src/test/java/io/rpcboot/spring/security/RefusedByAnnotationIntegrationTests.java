package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.LogLines;
import io.rpcboot.transport.Protocol;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.annotation.Around;
import org.aspectj.lang.annotation.Aspect;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.access.annotation.Secured;
import org.springframework.security.access.prepost.PostAuthorize;
import org.springframework.security.access.prepost.PreAuthorize;
import org.springframework.security.config.annotation.method.configuration.EnableMethodSecurity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Calls that annotations refuse, as seen by callers, the log and meters. */
class RefusedByAnnotationIntegrationTests {

	@TempDir
	static Path files;

	private static SecuredApplication application;

	private static final AtomicInteger EFFECTS = new AtomicInteger();

	private static final Map<String, Function<Ledger, Object>> METHODS = Map.ofEntries(
			Map.entry("before", Ledger::before), Map.entry("secured", Ledger::secured), Map.entry("both", Ledger::both),
			Map.entry("adviceInside", Ledger::adviceInside), Map.entry("later", (ledger) -> join(ledger.later())),
			Map.entry("after", Ledger::after), Map.entry("nestedCheck", Ledger::nestedCheck),
			Map.entry("body", Ledger::body), Map.entry("failedFuture", (ledger) -> join(ledger.failedFuture())),
			Map.entry("adviceOutside",
					(ledger) -> application.service(Ledger.Advised.class, Protocol.NATIVE, "alpha", "")
						.adviceOutside()),
			Map.entry("adviceOutsideOverGrpc",
					(ledger) -> application.service(Ledger.Advised.class, Protocol.GRPC, "alpha", "").adviceOutside()));

	@BeforeAll
	static void start() {
		application = new SecuredApplication(files, Map.of(), LedgerService.class, AdvisedService.class, Vaults.class,
				Configuration.class, Outside.class, Inside.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@AfterEach
	void close() {
		application.closeClients();
	}

	private static Object join(CompletableFuture<?> future) {
		Throwable cause = catchThrowable(future::join).getCause();
		throw (RpcException) cause;
	}

	@ParameterizedTest
	@CsvSource({ "before, false", "secured, false", "both, false", "adviceInside, false", "later, false", "after, true",
			"nestedCheck, true", "body, true", "failedFuture, true", "adviceOutside, true",
			"adviceOutsideOverGrpc, true" })
	void refusal_saysNotExecuted_onlyIfNothingWasEntered(String method, boolean mayHaveExecuted) {
		for (Protocol protocol : List.of(Protocol.NATIVE, Protocol.GRPC)) {
			EFFECTS.set(0);
			Ledger ledger = application.service(Ledger.class, protocol, "alpha", "");
			RpcException refused = catchThrowableOfType(RpcException.class, () -> METHODS.get(method).apply(ledger));
			assertThat(refused.status()).isEqualTo(RpcStatus.PERMISSION_DENIED);
			assertThat(refused.mayHaveExecuted()).as("%s: %s", protocol, refused).isEqualTo(mayHaveExecuted);
			assertThat(refused).hasMessageEndingWith(mayHaveExecuted ? "it may have executed" : "it did not execute");
			assertThat(EFFECTS).hasValue(mayHaveExecuted ? 1 : 0);
		}
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void stranger_isUnauthenticated_andNothingRan(Protocol protocol) {
		RpcException refused = catchThrowableOfType(RpcException.class,
				() -> application.service(Ledger.class, protocol, "", "").before());
		assertThat(refused.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
		assertThat(refused.mayHaveExecuted()).isFalse();
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void refusals_areCounted_andLogged(Protocol protocol) {
		try (LogLines lines = new LogLines("rpc.server")) {
			double before = refused();
			Ledger ledger = application.service(Ledger.class, protocol, "alpha", "");
			Applications.eventually(() -> {
				catchThrowable(ledger::before);
				return lines.messages().stream().anyMatch((each) -> each.contains("Call refused"));
			});
			assertThat(refused()).isGreaterThan(before);
			assertThat(String.join("\n", lines.messages())).contains("Ledger", ".before()",
					"caller 'spiffe://test/alpha'");
		}
	}

	private static double refused() {
		return application.context.getBean(MeterRegistry.class)
			.get("rpc.server.callers.refused")
			.tag("status", "PERMISSION_DENIED")
			.functionCounter()
			.count();
	}

	/** Methods that refuse everybody, each in its own way. */
	public interface Ledger {

		String before();

		String secured();

		String both();

		String adviceInside();

		CompletableFuture<String> later();

		String after();

		String nestedCheck();

		String body();

		CompletableFuture<String> failedFuture();

		/** Has advice outside of its checks. */
		interface Advised {

			String adviceOutside();

		}

	}

	@RpcService(interfaces = Ledger.class)
	public static class LedgerService implements Ledger {

		private final Vaults vaults;

		LedgerService(Vaults vaults) {
			this.vaults = vaults;
		}

		@Override
		@PreAuthorize("denyAll()")
		public String before() {
			return write();
		}

		@Override
		@Secured("ROLE_NOBODY")
		public String secured() {
			return write();
		}

		@Override
		@PreAuthorize("denyAll()")
		@PostAuthorize("denyAll()")
		public String both() {
			return write();
		}

		@Override
		@PreAuthorize("denyAll()")
		public String adviceInside() {
			return write();
		}

		@Override
		@PreAuthorize("denyAll()")
		public CompletableFuture<String> later() {
			return CompletableFuture.completedFuture(write());
		}

		@Override
		@PostAuthorize("denyAll()")
		public String after() {
			return write();
		}

		@Override
		public String nestedCheck() {
			write();
			return this.vaults.open();
		}

		@Override
		@PreAuthorize("permitAll()")
		public String body() {
			write();
			throw new AccessDeniedException("in the body");
		}

		@Override
		@PreAuthorize("permitAll()")
		public CompletableFuture<String> failedFuture() {
			write();
			return CompletableFuture.failedFuture(new AccessDeniedException("later"));
		}

		private static String write() {
			EFFECTS.incrementAndGet();
			return "written";
		}

	}

	@RpcService(interfaces = Ledger.Advised.class)
	public static class AdvisedService implements Ledger.Advised {

		@Override
		@PreAuthorize("denyAll()")
		public String adviceOutside() {
			return LedgerService.write();
		}

	}

	public static class Vaults {

		@PreAuthorize("denyAll()")
		public String open() {
			return "open";
		}

	}

	@Aspect
	@Order(Ordered.HIGHEST_PRECEDENCE)
	public static class Outside {

		@Around("execution(* *..AdvisedService.adviceOutside())")
		public Object count(ProceedingJoinPoint call) throws Throwable {
			EFFECTS.incrementAndGet();
			return call.proceed();
		}

	}

	@Aspect
	public static class Inside {

		@Around("execution(* *..LedgerService.adviceInside())")
		public Object count(ProceedingJoinPoint call) throws Throwable {
			EFFECTS.incrementAndGet();
			return call.proceed();
		}

	}

	@EnableMethodSecurity(securedEnabled = true)
	static class Configuration {

		@Bean
		MeterRegistry meterRegistry() {
			return new SimpleMeterRegistry();
		}

	}

}
