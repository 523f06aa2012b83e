package io.rpcboot.engine.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.rpcboot.Endpoint;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.client.ReferenceOptions;
import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.RpcServer;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.transport.Protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** A call keeps the identity that was decided about, to its end. */
class CallIdentityIntegrationTests {

	private final GuardedImpl implementation = new GuardedImpl();

	/** End of the brief credentials that were checked last. */
	private volatile Instant end = Instant.MAX;

	/** Has a permit for each check of brief credentials that has begun. */
	private final Semaphore checking = new Semaphore(0);

	/** Has a permit for each check of brief credentials that may end. */
	private final Semaphore checked = new Semaphore(0);

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.maxThreads(1)
		.service(Guarded.class, this.implementation)
		.access(AccessOptions.defaults()
			.withAuthenticator(this::user)
			.withAuthorizer(
					(caller, service, method) -> !caller.getName().equals("bob") || !method.equals("callerTwice"))
			.withClearTextCredentials(true))
		.start();

	private CallerIdentity user(Credentials credentials) {
		Principal user = credentials::value;
		if (!credentials.value().equals("brief")) {
			return CallerIdentity.of(user, Instant.MAX);
		}
		this.checking.release();
		this.checked.acquireUninterruptibly();
		this.end = Instant.now().plusSeconds(2);
		return CallerIdentity.of(user, this.end);
	}

	@AfterEach
	void close() {
		this.implementation.released.countDown();
		this.checked.release();
		this.server.close();
	}

	private RawClient client(String token) throws IOException {
		return new RawClient(this.server.port(), "Bearer " + token);
	}

	/** The caller of a method that needs no thread. */
	private static void awaitCaller(RawClient client, String name) {
		Eventually.until("the caller is " + name, () -> {
			try {
				return client.result(client.call("callerAtOnce")).equals(name);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	/** Neither a call that runs nor one that waits becomes that of the other user. */
	@ParameterizedTest
	@ValueSource(strings = { "bob", "carl" })
	void laterCredentialsOfConnection_changeNoCall(String later) throws IOException {
		try (RawClient client = client("ann")) {
			long running = client.call("callerTwice");
			long waiting = client.call("callerTwice");
			await(this.implementation.waiting);
			client.authenticate("Bearer " + later);
			awaitCaller(client, later);
			this.implementation.released.countDown();
			assertThat(client.result(running)).isEqualTo("ann ann");
			assertThat(client.result(waiting)).isEqualTo("ann ann");
			assertThat(client.caller()).isEqualTo(later);
		}
	}

	@Test
	void endOfProof_endsCallsThatWait_andNoneThatRuns() throws IOException {
		this.checked.release();
		try (RawClient client = client("brief")) {
			long running = client.call("callerTwice");
			long waiting = client.call("callerTwice");
			await(this.implementation.waiting);
			awaitCaller(client, "anonymous");
			this.implementation.released.countDown();
			assertThat(client.result(running)).isEqualTo("brief brief");
			assertThat(client.result(waiting)).isEqualTo("UNAUTHENTICATED");
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void endOfCredentials_endsCallThatWaits(Protocol protocol) {
		try (RpcClient ann = caller("ann"); RpcClient brief = caller("brief")) {
			CompletableFuture<String> waiting = CompletableFuture
				.supplyAsync(() -> at(brief, protocol).open(new Guarded.Document("title")));
			await(this.checking);
			CompletableFuture<String> running = CompletableFuture.supplyAsync(() -> at(ann, protocol).callerTwice());
			await(this.implementation.waiting);
			this.checked.release();
			Eventually.until("the credentials were checked", () -> !this.end.equals(Instant.MAX));
			Eventually.until("the end", () -> Instant.now().isAfter(this.end));
			assertThat(waiting).isNotDone();
			this.implementation.released.countDown();
			assertThat(running.join()).isEqualTo("ann ann");
			assertThatExceptionOfType(RpcException.class).isThrownBy(() -> outcome(waiting)).satisfies((failure) -> {
				assertThat(failure.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
				assertThat(failure.mayHaveExecuted()).isFalse();
			});
		}
	}

	private static void await(Semaphore permits) {
		Eventually.until("there is a permit", permits::tryAcquire);
	}

	private static void outcome(CompletableFuture<?> call) throws Throwable {
		try {
			call.join();
		}
		catch (CompletionException ex) {
			throw Objects.requireNonNull(ex.getCause());
		}
	}

	private static RpcClient caller(String token) {
		return RpcClient.builder().interceptor((call) -> {
			call.attachments().put("authorization", "Bearer " + token);
			return call.proceed();
		}).build();
	}

	private Guarded at(RpcClient client, Protocol protocol) {
		return client.reference(Guarded.class,
				ReferenceOptions.defaults()
					.withEndpoints(new Endpoint("127.0.0.1", this.server.port()))
					.withProtocol(protocol)
					.withWaitForInstance(Duration.ofSeconds(30))
					.withTimeout(Duration.ofSeconds(30)));
	}

}
