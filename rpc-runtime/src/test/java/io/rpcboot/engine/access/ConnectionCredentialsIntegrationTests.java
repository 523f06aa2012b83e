package io.rpcboot.engine.access;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.engine.fixture.LogRecorder;
import io.rpcboot.engine.fixture.peer.Received;
import io.rpcboot.fixture.Eventually;
import io.rpcboot.internal.protocol.binary.FrameType;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.serialization.contract.ContractHash;
import io.rpcboot.server.RpcServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Credentials of whole connections of the native protocol, from a client made of bytes.
 */
class ConnectionCredentialsIntegrationTests {

	private final CountDownLatch released = new CountDownLatch(1);

	private final RpcServer server = RpcServer.builder()
		.port(0)
		.service(Guarded.class, new GuardedImpl())
		.access(AccessOptions.defaults().withAuthenticator(this::user).withClearTextCredentials(true))
		.start();

	@AfterEach
	void close() {
		this.released.countDown();
		this.server.close();
	}

	private CallerIdentity user(Credentials credentials) {
		String[] parts = credentials.value().split("-");
		if (parts[0].equals("wrong")) {
			throw new RpcException(RpcStatus.UNAUTHENTICATED, "the reason stays here", false);
		}
		if (parts[0].equals("slow")) {
			try {
				assertThat(this.released.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
		Principal user = () -> parts[1];
		return CallerIdentity.of(user, parts[0].equals("brief") ? Instant.now().plusMillis(500) : Instant.MAX);
	}

	private static void awaitCaller(RawClient client, String name) {
		Eventually.until("the caller is " + name, () -> {
			try {
				return client.caller().equals(name);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	private RawClient client(@Nullable String token) throws IOException {
		return new RawClient(this.server.port(), (token != null) ? "Bearer " + token : null);
	}

	@Test
	void connection_hasIdentityOfItsCredentials() throws IOException {
		try (RawClient ann = client("user-ann"); RawClient nobody = client(null)) {
			assertThat(ann.caller()).isEqualTo("ann");
			assertThat(nobody.caller()).isEqualTo("UNAUTHENTICATED");
		}
	}

	@Test
	void wrongCredentials_endConnection() throws IOException {
		try (RawClient client = client("wrong-ann")) {
			Received end = client.read(FrameType.GO_AWAY);
			assertThat(end.code()).isEqualTo(RpcStatus.UNAUTHENTICATED.code());
			assertThat(new String(end.body(), StandardCharsets.UTF_8)).isEqualTo("the credentials are not valid");
			assertThatIOException().isThrownBy(() -> client.read(FrameType.RESPONSE));
		}
	}

	/**
	 * One that knows the whole contract may bind it: single calls may have credentials.
	 */
	@Test
	void stranger_doesNotLearn_whichServicesExist() throws IOException {
		ContractHash guessed = new ContractHash(1, 2);
		try (RawClient stranger = client(null); RawClient known = client("user-ann")) {
			assertThat(stranger.read(FrameType.BIND_REPLY).code()).isZero();
			stranger.bind(100, RawClient.SERVICE.id().toString(), guessed);
			Received existing = stranger.read(FrameType.BIND_REPLY);
			stranger.bind(200, "shop.Missing", guessed);
			Received missing = stranger.read(FrameType.BIND_REPLY);
			assertThat(existing.code()).isEqualTo(missing.code()).isEqualTo(RpcStatus.UNAUTHENTICATED.code());
			assertThat(existing.body()).isEqualTo(missing.body());
			assertThat(known.read(FrameType.BIND_REPLY).code()).isZero();
			known.bind(100, RawClient.SERVICE.id().toString(), guessed);
			assertThat(known.read(FrameType.CONTRACT).code()).isEqualTo(100);
		}
	}

	@Test
	void introduction_isAnswered_afterCheck() throws IOException {
		try (RawClient client = client("slow-ann"); RawClient other = client("user-bob")) {
			assertThat(other.caller()).isEqualTo("bob");
			this.released.countDown();
			assertThat(client.read(FrameType.HELLO).type()).isEqualTo(FrameType.HELLO);
			assertThat(client.read(FrameType.BIND_REPLY).code()).isZero();
			assertThat(client.caller()).isEqualTo("ann");
		}
	}

	@Test
	void renewedCredentials_replaceIdentity_ifTheyAreValid() throws IOException {
		try (RawClient client = client("user-ann")) {
			assertThat(client.caller()).isEqualTo("ann");
			client.authenticate("Bearer user-bob");
			awaitCaller(client, "bob");
			client.authenticate("Bearer user-carl");
			client.authenticate("Bearer user-dave");
			client.authenticate("Bearer user-eve");
			awaitCaller(client, "eve");
		}
	}

	@Test
	void renewalsWithoutEnd_endConnection() throws IOException {
		try (RawClient client = client("user-ann")) {
			assertThatIOException().isThrownBy(() -> {
				for (int i = 0; i < 100; i++) {
					client.authenticate("Bearer user-ann");
				}
				client.read(FrameType.RESPONSE);
			});
		}
	}

	@Test
	void wrongRenewal_keepsIdentity() throws IOException {
		try (RawClient client = client("user-ann")) {
			assertThat(client.caller()).isEqualTo("ann");
			client.authenticate("Bearer wrong-bob");
			for (int i = 0; i < 50; i++) {
				assertThat(client.caller()).isEqualTo("ann");
			}
		}
	}

	@Test
	void expiredCredentials_endRights() throws IOException {
		try (RawClient client = client("brief-ann")) {
			awaitCaller(client, "UNAUTHENTICATED");
			client.authenticate("Bearer user-ann");
			awaitCaller(client, "ann");
		}
	}

	@Test
	void longCredentials_endConnection() throws IOException {
		try (RawClient client = client("user-" + "x".repeat(7000))) {
			assertThat(client.caller()).startsWith("xx");
		}
		try (RawClient client = client(null)) {
			assertThatIOException().isThrownBy(() -> {
				for (int i = 0; i < 3; i++) {
					client.frame(FrameType.AUTH, 1, 0, new byte[4096]);
				}
				client.read(FrameType.RESPONSE);
			});
		}
	}

	@ParameterizedTest
	@CsvSource({ "20, 4096", "2000, 0" })
	void bindings_areBounded_whileCredentialsAreChecked(int count, int length) throws IOException {
		try (LogRecorder log = new LogRecorder("rpc"); RawClient client = client("slow-ann")) {
			assertThatIOException().isThrownBy(() -> {
				for (int i = 0; i < count; i++) {
					client.frame(FrameType.BIND, 0, 0, new byte[length]);
				}
				client.read(FrameType.RESPONSE);
			});
			Eventually.until("the reason is logged",
					() -> log.messages().stream().anyMatch((each) -> each.contains("before HELLO was answered")));
		}
	}

}
