package io.rpcboot.engine.access;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.ServiceDescriptor;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.server.ServiceOptions;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import io.rpcboot.transport.TlsOptions.Mode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Callers with certificates and with credentials of single calls, and what they may do.
 */
class AccessIntegrationTests {

	private final Authority authority = new Authority();

	private final TlsOptions keys = this.authority.here();

	private final GuardedImpl implementation = new GuardedImpl();

	@BeforeEach
	void forget() {
		GuardedImpl.READ.set(0);
	}

	private RpcServerBuilder server(ServiceOptions options) {
		return RpcServer.builder()
			.port(0)
			.tls(this.keys.withClientAuth(ClientAuth.WANT))
			.service(ServiceDescriptor.of(Guarded.class), () -> this.implementation, options);
	}

	private RpcServerBuilder server(AccessOptions access) {
		return server(ServiceOptions.defaults()).access(access);
	}

	private RpcClient client(@Nullable String name) {
		return client(name, null);
	}

	private RpcClient client(@Nullable String name, @Nullable String token) {
		TlsOptions tls = (name != null) ? this.authority.with((each) -> each.subject("CN=" + name))
				: this.authority.trust();
		return RpcClient.builder().tls(tls).interceptor((call) -> {
			if (token != null) {
				call.attachments().put("authorization", token);
			}
			return call.proceed();
		}).build();
	}

	private static Guarded at(RpcServer server, RpcClient client, Protocol protocol) {
		return client.reference(Guarded.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", server.port()))
					.withProtocol(protocol)
					.withTimeout(Duration.ofSeconds(30)));
	}

	private static void assertRefused(RpcStatus status, Runnable call) {
		assertThatExceptionOfType(RpcException.class).isThrownBy(call::run).satisfies((failure) -> {
			assertThat(failure.status()).isEqualTo(status);
			assertThat(failure.mayHaveExecuted()).isFalse();
		});
	}

	/** Takes tokens that name a user. */
	private static CallerIdentity user(Credentials credentials) {
		if (!credentials.value().startsWith("user-")) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "the reason stays here", false);
		}
		Principal user = () -> credentials.value().substring("user-".length());
		return CallerIdentity.of(user, Instant.MAX);
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void caller_isNameInCertificate(Protocol protocol) {
		try (RpcServer server = server(ServiceOptions.defaults()).start();
				RpcClient orders = client("orders");
				RpcClient nobody = client(null)) {
			assertThat(at(server, orders, protocol).caller()).isEqualTo("orders");
			assertThat(at(server, nobody, protocol).caller()).isEqualTo("anonymous");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void listedCaller_isServed_othersAreRefused(Protocol protocol) {
		try (RpcServer server = server(ServiceOptions.defaults().withAllow(Set.of("orders"))).start();
				RpcClient orders = client("orders");
				RpcClient shop = client("shop");
				RpcClient nobody = client(null)) {
			assertThat(at(server, orders, protocol).open(new Guarded.Document("a"))).isEqualTo("a");
			int read = GuardedImpl.READ.get();
			assertRefused(RpcStatus.PERMISSION_DENIED, () -> at(server, shop, protocol).open(Documents.of("b")));
			assertRefused(RpcStatus.UNAUTHENTICATED, () -> at(server, nobody, protocol).open(Documents.of("c")));
			assertThat(GuardedImpl.READ.get() - read).as("created by the callers").isEqualTo(2);
			assertThat(this.implementation.run).hasValue(1);
		}
	}

	/** Makes arguments. */
	private static final class Documents {

		private static Guarded.Document of(String title) {
			return new Guarded.Document(title);
		}

	}

	/** Service that the server does not offer. */
	public interface Missing {

		String caller();

	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void refusal_isTheSame_forServicesThatDoNotExist(Protocol protocol) {
		try (RpcServer server = server(ServiceOptions.defaults().withAllow(Set.of("orders"))).start();
				RpcClient shop = client("shop")) {
			ReferenceOptions here = ReferenceOptions.defaults()
				.withEndpoints(new Endpoint("127.0.0.1", server.port()))
				.withProtocol(protocol);
			RpcException offered = refusal(() -> at(server, shop, protocol).caller());
			RpcException missing = refusal(() -> shop.reference(Missing.class, here).caller());
			assertThat(missing.status()).isEqualTo(offered.status());
			assertThat(withoutNames(missing)).isEqualTo(withoutNames(offered)).contains("may not call");
			assertThat(missing).message().doesNotContain("Guarded");
		}
	}

	private static String withoutNames(RpcException failure) {
		return String.valueOf(failure.getMessage())
			.replaceAll("AccessIntegrationTests.Missing|Guarded", "Service")
			.replaceAll("after [0-9.]+ s| at [0-9.]+:[0-9]+", "");
	}

	private static RpcException refusal(Runnable call) {
		try {
			call.run();
		}
		catch (RpcException ex) {
			return ex;
		}
		throw new AssertionError("not refused");
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void method_isRefused_whereAuthorizerDoesNotPermitIt(Protocol protocol) {
		AccessOptions access = AccessOptions.defaults()
			.withAuthorizer((caller, service, method) -> method.equals("caller") || caller.names().contains("orders"));
		try (RpcServer server = server(access).start();
				RpcClient orders = client("orders");
				RpcClient shop = client("shop")) {
			assertThat(at(server, shop, protocol).caller()).isEqualTo("shop");
			assertRefused(RpcStatus.PERMISSION_DENIED, () -> at(server, shop, protocol).open(Documents.of("b")));
			assertThat(at(server, orders, protocol).open(Documents.of("a"))).isEqualTo("a");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void credentialsOfCall_replaceCaller(Protocol protocol) {
		AtomicInteger checks = new AtomicInteger();
		AccessOptions access = AccessOptions.defaults().withAuthenticator((credentials) -> {
			checks.incrementAndGet();
			return user(credentials);
		});
		try (RpcServer server = server(access).start();
				RpcClient orders = client("orders");
				RpcClient ann = client("orders", "Bearer user-ann");
				RpcClient bob = client(null, "Bearer user-bob");
				RpcClient wrong = client("orders", "Bearer other");
				RpcClient nobody = client(null)) {
			assertThat(at(server, orders, protocol).caller()).isEqualTo("orders");
			for (int i = 0; i < 20; i++) {
				assertThat(at(server, ann, protocol).caller()).isEqualTo("ann");
			}
			assertThat(at(server, bob, protocol).caller()).isEqualTo("bob");
			assertThat(at(server, bob, protocol).callerOnLoop(new byte[3])).isEqualTo("bob 3");
			assertThat(checks).as("each token once").hasValue(2);
			assertThat(refusal(() -> at(server, wrong, protocol).caller())).satisfies((failure) -> {
				assertThat(failure.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
				assertThat(failure).message().contains("the credentials are not valid").doesNotContain("stays here");
			});
			assertRefused(RpcStatus.UNAUTHENTICATED, () -> at(server, nobody, protocol).caller());
		}
	}

	/** Waits in its first check until it is released. */
	private static final class SlowAuthenticator implements Authenticator {

		private final CountDownLatch checking = new CountDownLatch(1);

		private final CountDownLatch released = new CountDownLatch(1);

		@Override
		public CallerIdentity authenticate(Credentials credentials) {
			if (credentials.value().equals("user-slow")) {
				this.checking.countDown();
				try {
					assertThat(this.released.await(30, TimeUnit.SECONDS)).isTrue();
				}
				catch (InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			}
			return user(credentials);
		}

	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void slowCheck_holdsNoThreadOfCalls(Protocol protocol) throws Exception {
		SlowAuthenticator authenticator = new SlowAuthenticator();
		try (RpcServer server = server(AccessOptions.defaults().withAuthenticator(authenticator)).maxThreads(1).start();
				RpcClient slow = client(null, "Bearer user-slow");
				RpcClient quick = client(null, "Bearer user-quick")) {
			CompletableFuture<String> waiting = CompletableFuture
				.supplyAsync(() -> at(server, slow, protocol).caller());
			CompletableFuture<String> onLoop = CompletableFuture
				.supplyAsync(() -> at(server, slow, protocol).callerOnLoop(new byte[70_000]));
			assertThat(authenticator.checking.await(30, TimeUnit.SECONDS)).isTrue();
			for (int i = 0; i < 100; i++) {
				assertThat(at(server, quick, protocol).caller()).isEqualTo("quick");
			}
			assertThat(waiting).isNotDone();
			authenticator.released.countDown();
			assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("slow");
			assertThat(onLoop.get(30, TimeUnit.SECONDS)).isEqualTo("slow 70000");
		}
	}

	@Test
	void clearTextWithoutCertificate_isTold() {
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			TlsOptions migrating = this.keys.withMode(Mode.OPTIONAL);
			RpcServer.builder().port(0).tls(migrating.withClientAuth(ClientAuth.WANT)).start().close();
			assertThat(log.messages()).noneMatch((line) -> line.contains("clear text may call"));
			RpcServer.builder().port(0).tls(migrating.withClientAuth(ClientAuth.NEED)).start().close();
			assertThat(log.messages()).anyMatch((line) -> line.contains("clients in clear text may call everything"));
		}
	}

	@Test
	void impossibleOptions_endStart() {
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> server(ServiceOptions.defaults().withAllow(Set.of("orders"))).tls(this.keys).build())
			.withMessageContaining(
					"services." + Guarded.class.getName() + ".allow: [orders], but no client can prove who it is");
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcServer.builder()
				.access(AccessOptions.defaults().withAuthenticator(AccessIntegrationTests::user))
				.build())
			.withMessageContaining("auth.allow-clear-text: false, but credentials would travel without TLS");
	}

}
