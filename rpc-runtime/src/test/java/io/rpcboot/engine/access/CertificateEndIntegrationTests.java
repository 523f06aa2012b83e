package io.rpcboot.engine.access;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.Authority;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Protocol;
import io.rpcboot.transport.TlsOptions;
import io.rpcboot.transport.TlsOptions.ClientAuth;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** The certificate of a client ends while its connection is open. */
class CertificateEndIntegrationTests {

	/** Time to connect and to call on a quiet machine, and on a busy one. */
	private static final List<Duration> LIVES = List.of(Duration.ofSeconds(3), Duration.ofSeconds(30));

	private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
		.getBytes(StandardCharsets.ISO_8859_1);

	private final Authority authority = new Authority();

	private final GuardedImpl implementation = new GuardedImpl();

	/** End of the certificate that was issued last. */
	private Instant end = Instant.MAX;

	private @Nullable RpcServer server;

	@AfterEach
	void close() {
		this.implementation.released.countDown();
		if (this.server != null) {
			this.server.close();
		}
	}

	private RpcServer start(ClientAuth auth, UnaryOperator<RpcServerBuilder> options) {
		RpcServer started = options
			.apply(RpcServer.builder()
				.port(0)
				.tls(this.authority.here().withClientAuth(auth))
				.service(Guarded.class, this.implementation))
			.start();
		this.server = started;
		return started;
	}

	private static AccessOptions rules() {
		return AccessOptions.defaults()
			.withAuthenticator(CertificateEndIntegrationTests::user)
			.withAuthorizer((caller, service, method) -> caller.names().contains("shop"));
	}

	private static CallerIdentity user(Credentials credentials) {
		Principal user = credentials::value;
		return CallerIdentity.of(user, Instant.MAX);
	}

	/** Has a certificate that ends soon. */
	private TlsOptions brief(Duration life) {
		this.end = Instant.ofEpochSecond(Instant.now().plus(life).getEpochSecond());
		return this.authority.with((each) -> each.subject("CN=shop").notAfter(this.end));
	}

	/** Returns a client that has made a call. */
	private RpcClient client(RpcServer server, Protocol protocol, @Nullable String token, String name) {
		for (Duration life : LIVES) {
			RpcClient client = client(brief(life), token);
			try {
				assertThat(at(server, client, protocol).caller()).isEqualTo(name);
				return client;
			}
			catch (RpcException ex) { // the machine is busy
				client.close();
			}
		}
		throw new AssertionError("no call before the end of the certificate");
	}

	private static RpcClient client(TlsOptions tls, @Nullable String token) {
		return RpcClient.builder().tls(tls).interceptor((call) -> {
			if (token != null) {
				call.attachments().put("authorization", "Bearer " + token);
			}
			return call.proceed();
		}).build();
	}

	private static Guarded at(RpcServer server, RpcClient client, Protocol protocol) {
		return client.reference(Guarded.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", server.port()))
					.withProtocol(protocol)
					.withWaitForInstance(Duration.ofSeconds(2))
					.withTimeout(Duration.ofSeconds(30)));
	}

	private void awaitEnd() {
		Eventually.until("the certificate has ended", () -> Instant.now().isAfter(this.end));
	}

	/** The running call ends well, the connection goes, and there is no other. */
	@ParameterizedTest
	@CsvSource({ "NATIVE, false", "NATIVE, true", "GRPC, false", "GRPC, true" })
	void neededCertificate_endsConnection_afterItsCalls(Protocol protocol, boolean hasRules) {
		RpcServer started = start(ClientAuth.NEED, (options) -> hasRules ? options.access(rules()) : options);
		try (RpcClient client = client(started, protocol, null, "shop")) {
			Guarded guarded = at(started, client, protocol);
			CompletableFuture<String> running = CompletableFuture.supplyAsync(guarded::callerTwice);
			Eventually.until("the call runs", this.implementation.waiting::tryAcquire);
			awaitEnd();
			Eventually.until("calls are refused", () -> refusal(guarded) != null);
			int before = this.implementation.run.get();
			assertThat(refusal(guarded)).isNotNull();
			assertThat(this.implementation.run).as("later calls").hasValue(before);
			assertThat(running).isNotDone();
			this.implementation.released.countDown();
			assertThat(running.join()).isEqualTo("shop shop");
			Eventually.until("no connection is left", () -> started.connections().isEmpty());
		}
	}

	private static @Nullable RpcException refusal(Guarded guarded) {
		return catchThrowableOfType(RpcException.class, guarded::callerAtOnce);
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void wantedCertificate_endsIdentity(Protocol protocol) {
		RpcServer started = start(ClientAuth.WANT, (options) -> options);
		try (RpcClient client = client(started, protocol, null, "shop")) {
			Guarded guarded = at(started, client, protocol);
			awaitEnd();
			Eventually.until("the call of the end is over", () -> refusal(guarded) == null);
			assertThat(guarded.caller()).isEqualTo("anonymous");
			assertThat(started.connections()).singleElement()
				.satisfies((each) -> assertThat(each.identity()).isEmpty());
		}
	}

	/** The names of the certificate are gone, whatever other proof there is. */
	@ParameterizedTest
	@CsvSource({ "NATIVE, , UNAUTHENTICATED", "GRPC, , UNAUTHENTICATED", "NATIVE, bob, PERMISSION_DENIED",
			"GRPC, bob, PERMISSION_DENIED" })
	void wantedCertificate_endsRights(Protocol protocol, @Nullable String token, RpcStatus status) {
		RpcServer started = start(ClientAuth.WANT, (options) -> options.access(rules()));
		try (RpcClient client = client(started, protocol, token, (token != null) ? token : "shop")) {
			Guarded guarded = at(started, client, protocol);
			awaitEnd();
			Eventually.until("the caller is refused", () -> refusal(guarded) != null);
			assertThat(refusal(guarded)).satisfies((failure) -> {
				assertThat(Objects.requireNonNull(failure).status()).isEqualTo(status);
				assertThat(failure.mayHaveExecuted()).isFalse();
			});
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void resumedSession_ofEndedCertificate_isRefused(String version) throws Exception {
		RpcServer started = start(ClientAuth.NEED, (options) -> options);
		try (LogRecorder log = new LogRecorder("rpc.server")) {
			SSLContext context = served(version, started);
			awaitEnd();
			assertThat(isServed(context, version, started)).isFalse();
			Eventually.until("the reason is logged",
					() -> log.messages().stream().anyMatch((each) -> each.contains("the resumed session has ended")));
		}
	}

	private SSLContext served(String version, RpcServer server) throws Exception {
		for (Duration life : LIVES) {
			TlsOptions brief = brief(life);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(Objects.requireNonNull(brief.keys()).getKeyManagers(),
					Objects.requireNonNull(brief.trusted()).getTrustManagers(), null);
			if (isServed(context, version, server)) {
				return context;
			}
		}
		throw new AssertionError("no connection before the end of the certificate");
	}

	private static boolean isServed(SSLContext context, String version, RpcServer server) {
		try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port())) {
			socket.setEnabledProtocols(new String[] { version });
			socket.setSoTimeout(20_000);
			socket.getOutputStream().write(PREFACE);
			return socket.getInputStream().readNBytes(9).length == 9;
		}
		catch (IOException ex) {
			return false;
		}
	}

}
