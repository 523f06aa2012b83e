package io.rpcboot.engine.access;

import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcConfigurationException;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.Broadcast;
import io.rpcboot.client.ReferenceInfo;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcContext;
import io.rpcboot.context.CallOptions;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.resilience.ResilienceOptions;
import io.rpcboot.resilience.RetryOptions;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.security.SharedSecret;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.EventLoopOptions;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatRuntimeException;

/**
 * Clients whose connections have credentials: given, renewed, refused, missing, relayed.
 */
class ClientCredentialsIntegrationTests {

	private static final String SECRET = "s3cr3t-s3cr3t-s3cr3t";

	private final Authority authority = new Authority();

	private final TlsOptions keys = this.authority.here();

	/** Service that tells who calls. */
	public interface Named {

		String caller();

		CompletableFuture<String> callerLater();

	}

	/** Implementation that tells who calls, or asks another server. */
	private record Naming(Named next) implements Named {

		@Override
		public String caller() {
			RpcContext context = RpcContext.current();
			assertThat(context).isNotNull();
			String name = context.caller().getName();
			return (this.next != null) ? name + " then " + this.next.caller() : name;
		}

		@Override
		public CompletableFuture<String> callerLater() {
			return CompletableFuture.completedFuture(caller());
		}

	}

	/**
	 * Takes tokens of the form user-name, and user-name-millis with the end in
	 * milliseconds since the epoch.
	 */
	private static CallerIdentity user(Credentials credentials) {
		String[] parts = credentials.value().split("-");
		if (!parts[0].equals("user")) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "unknown user", false);
		}
		Principal user = () -> parts[1];
		return CallerIdentity.of(user,
				(parts.length > 2) ? Instant.ofEpochMilli(Long.parseLong(parts[2])) : Instant.MAX);
	}

	private RpcServerBuilder server() {
		return server(new Naming(null));
	}

	private RpcServerBuilder server(Named implementation) {
		return RpcServer.builder()
			.port(0)
			.tls(this.keys)
			.service(Named.class, implementation)
			.access(AccessOptions.defaults().withAuthenticator(ClientCredentialsIntegrationTests::user));
	}

	private RpcClientBuilder client(CredentialsProvider provider) {
		return RpcClient.builder().tls(this.authority.trust()).credentials(provider);
	}

	private static ReferenceOptions at(Protocol protocol, RpcServer... servers) {
		List<Endpoint> endpoints = new ArrayList<>();
		for (RpcServer each : servers) {
			endpoints.add(new Endpoint("127.0.0.1", each.port()));
		}
		return ReferenceOptions.defaults().withEndpoints(endpoints.toArray(Endpoint[]::new)).withProtocol(protocol);
	}

	private static RpcException failure(Named service) {
		AtomicReference<RpcException> failure = new AtomicReference<>();
		assertThatExceptionOfType(RpcException.class).isThrownBy(service::caller).satisfies(failure::set);
		return failure.get();
	}

	private static boolean isServed(Named service) {
		try {
			service.caller();
			return true;
		}
		catch (RpcException ex) {
			return false;
		}
	}

	/** Runs a test that waits for the clock with all protocols at the same time. */
	private static void withEachProtocol(Consumer<Protocol> test) {
		List<CompletableFuture<Void>> ends = Stream.of(Protocol.NATIVE, Protocol.GRPC)
			.map((protocol) -> CompletableFuture.runAsync(() -> test.accept(protocol),
					(run) -> new Thread(run).start()))
			.toList();
		ends.forEach(CompletableFuture::join);
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void credentials_tellWhoCalls(Protocol protocol) {
		String ofReference = "Bearer user-bob" + "x".repeat(8000);
		try (RpcServer server = server().start();
				RpcClient client = client(() -> Credentials.bearer("user-ann")).build()) {
			Named ann = client.reference(Named.class, at(protocol, server));
			Named bob = client.reference(Named.class,
					at(protocol, server).withCredentials(() -> Credentials.of(ofReference)));
			assertThat(ann.caller()).isEqualTo("ann");
			assertThat(bob.caller()).startsWith("bobxxx").hasSize(8003);
			assertThat(ann.caller()).isEqualTo("ann");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void sharedSecret_isNeeded(Protocol protocol) {
		SharedSecret secret = new SharedSecret(SECRET);
		try (RpcServer server = server().access(AccessOptions.defaults().withAuthenticator(secret)).start();
				RpcClient with = client(secret).build();
				RpcClient without = RpcClient.builder().tls(this.authority.trust()).build()) {
			assertThat(with.reference(Named.class, at(protocol, server)).caller()).isEqualTo("shared-secret");
			assertThat(failure(without.reference(Named.class, at(protocol, server))).status())
				.isEqualTo(RpcStatus.UNAUTHENTICATED);
		}
	}

	@Test
	void refusedCredentials_failCallsAtOnce_untilProviderHasOthers() {
		withEachProtocol(this::waitForOthers);
	}

	private void waitForOthers(Protocol protocol) {
		AtomicReference<String> token = new AtomicReference<>("wrong-" + SECRET);
		try (LogRecorder log = new LogRecorder("rpc");
				RpcServer server = server().start();
				RpcClient client = client(() -> Credentials.bearer(token.get())).build()) {
			Named calls = client.reference(Named.class, at(protocol, server).withTimeout(Duration.ofMinutes(2)));
			for (int i = 0; i < 20; i++) {
				RpcException failure = failure(calls);
				assertThat(failure.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
				assertThat(failure.mayHaveExecuted()).isFalse();
				assertThat(failure).message().contains("the credentials are not valid").doesNotContain(SECRET);
			}
			if (protocol == Protocol.NATIVE) {
				assertThat(client.references().get(0).instances().get(0)).satisfies((instance) -> {
					assertThat(instance.state()).isEqualTo(ReferenceInfo.State.INCOMPATIBLE);
					assertThat(instance.problem()).contains("the credentials are not valid");
				});
			}
			token.set("user-ann");
			Eventually.until("served with other credentials", () -> isServed(calls));
			assertThat(calls.caller()).isEqualTo("ann");
			assertThat(String.join("\n", log.messages())).doesNotContain(SECRET);
			assertThat(client.references().toString()).doesNotContain(SECRET);
		}
	}

	@Test
	void renewedCredentials_areUsed_andLoseNoCall() {
		withEachProtocol(this::renew);
	}

	private void renew(Protocol protocol) {
		AtomicInteger renewals = new AtomicInteger();
		CredentialsProvider provider = () -> {
			Instant end = Instant.now().plusSeconds(8);
			return Credentials.bearer("user-" + (char) ('a' + renewals.getAndIncrement()) + "-" + end.toEpochMilli())
				.until(end);
		};
		try (RpcServer server = server().start(); RpcClient client = client(provider).build()) {
			Named calls = client.reference(Named.class, at(protocol, server));
			assertThat(calls.caller()).isEqualTo("a");
			List<CompletableFuture<String>> results = new ArrayList<>();
			Eventually.until("the first credentials have long expired", Duration.ofMinutes(1), () -> {
				results.add(calls.callerLater());
				results.get(results.size() - 1).join();
				return renewals.get() >= 4 && results.size() >= 1000;
			});
			assertThat(results.stream().map(CompletableFuture::join).collect(Collectors.toSet())).contains("a", "b",
					"c");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void failingProvider_isProblemOfInstance_untilItAnswers(Protocol protocol) {
		AtomicInteger asked = new AtomicInteger();
		AtomicReference<Credentials> given = new AtomicReference<>();
		CredentialsProvider provider = () -> {
			asked.incrementAndGet();
			if (given.get() == null) {
				throw new IllegalStateException("the identity provider is away");
			}
			return given.get();
		};
		try (RpcServer server = server().start();
				RpcClient client = client(provider).connectionsPerEndpoint(3).build()) {
			Named calls = client.reference(Named.class, at(protocol, server));
			assertThat(failure(calls)).satisfies((failure) -> {
				assertThat(failure.status()).isEqualTo(RpcStatus.UNAVAILABLE);
				assertThat(failure).message().contains("cannot connect: no credentials: the identity provider is away");
			});
			assertThat(asked).as("questions, not one for each connection").hasValueLessThan(5);
			given.set(Credentials.bearer("user-ann"));
			Eventually.until("served", () -> isServed(calls));
			assertThat(calls.caller()).isEqualTo("ann");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void hangingProvider_holdsNoCallLongerThanConnectTimeout(Protocol protocol) {
		CountDownLatch hangs = new CountDownLatch(1);
		CredentialsProvider provider = () -> {
			try {
				hangs.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return Credentials.bearer("user-ann");
		};
		try (RpcServer server = server().start();
				RpcClient client = client(provider).connectTimeout(Duration.ofMillis(200)).build()) {
			Named calls = client.reference(Named.class, at(protocol, server));
			assertThat(failure(calls)).message().contains("no answer of the provider of credentials within 200 ms");
			hangs.countDown();
			Eventually.until("served", () -> isServed(calls));
		}
	}

	@Test
	void expiredCredentials_endCalls_untilProviderAnswersAgain() {
		withEachProtocol(this::expire);
	}

	private void expire(Protocol protocol) {
		Instant end = Instant.now().plusSeconds(5);
		AtomicReference<Credentials> given = new AtomicReference<>(
				Credentials.bearer("user-ann-" + end.toEpochMilli()).until(end));
		CredentialsProvider provider = () -> {
			Credentials now = given.getAndSet(null);
			if (now == null) {
				throw new IllegalStateException("away");
			}
			return now;
		};
		try (RpcServer server = server().start(); RpcClient client = client(provider).build()) {
			Named calls = client.reference(Named.class, at(protocol, server));
			assertThat(calls.caller()).isEqualTo("ann");
			Eventually.until("expired", () -> !isServed(calls));
			assertThat(Instant.now()).as("the old ones have held").isAfterOrEqualTo(end);
			assertThat(failure(calls).status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
			given.set(Credentials.bearer("user-bob"));
			Eventually.until("renewed", () -> isServed(calls));
			assertThat(calls.caller()).isEqualTo("bob");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void refusedCalls_areNotRepeated_andDoNotSpeakAgainstInstance(Protocol protocol) {
		AtomicInteger checks = new AtomicInteger();
		AccessOptions access = AccessOptions.defaults()
			.withAuthenticator(ClientCredentialsIntegrationTests::user)
			.withAuthorizer((caller, service, method) -> {
				checks.incrementAndGet();
				return !method.equals("caller");
			});
		RetryOptions retries = RetryOptions.defaults().withMaxAttempts(3).withBudget(1);
		try (RpcServer first = server().access(access).start();
				RpcServer second = server().access(access).start();
				RpcClient client = client(() -> Credentials.bearer("user-ann"))
					.resilience(ResilienceOptions.defaults().withRetry(retries))
					.build()) {
			Named calls = client.reference(Named.class, at(protocol, first, second).withIdempotent("caller", true));
			client.awaitConnected(Duration.ofSeconds(20));
			checks.set(0);
			for (int i = 0; i < 100; i++) {
				assertThat(failure(calls).status()).isEqualTo(RpcStatus.PERMISSION_DENIED);
			}
			assertThat(checks).as("decisions").hasValueLessThanOrEqualTo(100);
			assertThat(client.references().get(0).instances()).extracting(ReferenceInfo.Instance::state)
				.containsOnly(ReferenceInfo.State.READY);
			assertThat(calls.callerLater().join()).isEqualTo("ann");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void broadcast_tellsWhichInstanceRefusesClient(Protocol protocol) {
		AccessOptions others = AccessOptions.defaults().withAuthenticator(new SharedSecret(SECRET));
		try (RpcServer first = server().start();
				RpcServer second = server().access(others).start();
				RpcClient client = client(() -> Credentials.bearer("user-ann")).build()) {
			Named calls = client.reference(Named.class, at(protocol, first, second));
			Eventually.until("one is ready", () -> isServed(calls));
			assertThat(Broadcast.to(calls).call(Named::caller).replies()).satisfiesExactlyInAnyOrder(
					(reply) -> assertThat(reply.value()).isEqualTo("ann"),
					(reply) -> assertThat(reply.failure()).hasMessageContaining("the credentials are not valid"));
		}
	}

	@Test
	void credentialsWithoutTls_endStart() {
		try (RpcClient client = RpcClient.builder().credentials(new SharedSecret(SECRET)).build();
				RpcClient plain = RpcClient.builder().build()) {
			ReferenceOptions anywhere = ReferenceOptions.defaults().withEndpoints(new Endpoint("127.0.0.1", 1));
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> client.reference(Named.class, anywhere))
				.withMessage("rpc.client.auth.allow-clear-text: false, but credentials would travel without TLS")
				.satisfies((failure) -> assertThat(failure.action()).containsSubsequence(
						"Set rpc.client.references.<name>.credentials=none", "rpc.client.ssl.bundle",
						"or rpc.client.auth.allow-clear-text=true"));
			assertThatExceptionOfType(RpcConfigurationException.class)
				.isThrownBy(() -> plain.reference(Named.class, anywhere.withRelayedCredentials(true)))
				.withMessageContaining("without TLS");
			assertThat(client.reference(Named.class, anywhere.withTls(this.authority.trust()))).isNotNull();
			assertThat(client.references()).hasSize(1);
		}
		assertThatExceptionOfType(RpcConfigurationException.class)
			.isThrownBy(() -> RpcClient.builder().forwardAttachments(List.of("trace", "Authorization")))
			.withMessage("forward-attachments: Authorization has credentials of the caller");
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void credentialsOverClearText_areSent_ifBothSidesAllowThem(Protocol protocol) {
		AccessOptions access = AccessOptions.defaults()
			.withAuthenticator(ClientCredentialsIntegrationTests::user)
			.withClearTextCredentials(true);
		try (RpcServer server = RpcServer.builder()
			.port(0)
			.service(Named.class, new Naming(null))
			.access(access)
			.start();
				RpcClient client = RpcClient.builder()
					.credentials(() -> Credentials.bearer("user-ann"))
					.allowClearTextCredentials()
					.build()) {
			assertThat(client.reference(Named.class, at(protocol, server)).caller()).isEqualTo("ann");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void connectionInOneProcess_sendsNone_butItsCallsMay(Protocol protocol) throws Exception {
		EventLoopOptions inProcess = EventLoopOptions.defaults().withTransport(EventLoopOptions.Transport.IN_PROCESS);
		CredentialsProvider never = () -> {
			throw new IllegalStateException("asked");
		};
		try (RpcServer server = server().eventLoop(inProcess).start();
				RpcClient client = RpcClient.builder().eventLoop(inProcess).credentials(never).build()) {
			Named named = client.reference(Named.class, at(protocol, server));
			assertThatExceptionOfType(RpcException.class).isThrownBy(named::caller)
				.satisfies((ex) -> assertThat(ex.status()).isEqualTo(RpcStatus.UNAUTHENTICATED));
			assertThat(CallOptions.with("authorization", "Bearer user-ann").call(named::caller)).isEqualTo("ann");
			assertThatExceptionOfType(RpcException.class).isThrownBy(named::caller);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void credentialsOfServedCall_areRelayed_whereReferenceAsksForIt(Protocol protocol) {
		try (RpcServer back = server().start();
				RpcClient between = client(() -> Credentials.bearer("user-front")).forwardAttachments(List.of("any"))
					.build()) {
			Named relayed = between.reference(Named.class, at(protocol, back).withRelayedCredentials(true));
			Named own = between.reference(Named.class, at(protocol, back));
			try (RpcServer relaying = server(new Naming(relayed)).start();
					RpcServer plain = server(new Naming(own)).start();
					RpcClient ann = RpcClient.builder().tls(this.authority.trust()).interceptor((call) -> {
						call.attachments().put("authorization", "Bearer user-ann");
						return call.proceed();
					}).build();
					RpcClient bob = client(() -> Credentials.bearer("user-bob")).build()) {
				assertThat(ann.reference(Named.class, at(protocol, relaying)).caller()).isEqualTo("ann then ann");
				assertThat(ann.reference(Named.class, at(protocol, plain)).caller()).isEqualTo("ann then front");
				assertThat(bob.reference(Named.class, at(Protocol.GRPC, relaying)).caller()).isEqualTo("bob then bob");
				assertThat(relayed.caller()).as("without a served call").isEqualTo("front");
			}
		}
	}

	@Test
	void texts_haveNoSecret() {
		assertThat(new SharedSecret(SECRET).toString() + Credentials.bearer(SECRET)).doesNotContain(SECRET);
		assertThatRuntimeException().isThrownBy(() -> Credentials.bearer(SECRET + "\n"))
			.satisfies((failure) -> assertThat(failure.toString()).doesNotContain(SECRET));
	}

}
