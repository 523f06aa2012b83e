package io.rpcboot.spring.security;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.security.SecuredApplication.VaultService;
import io.rpcboot.spring.security.Vault.Key;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Tokens that a decoder with a public key must not accept, over TLS. */
class BadTokensIntegrationTests {

	@TempDir
	static Path files;

	private static SecuredApplication application;

	private static VaultService implementation;

	@BeforeAll
	static void start() {
		application = new SecuredApplication(files, Map.of("rpc.server.max-attachments-size", "65535B"),
				SecuredApplication.Decoder.class, VaultService.class, Rules.class);
		implementation = application.context.getBean(VaultService.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	static Stream<Arguments> badTokens() {
		Map<String, Supplier<String>> tokens = Map.of("expired",
				() -> Tokens.ISSUER.token("vault", "vault", Instant.now().minusSeconds(3600)), "other audience",
				() -> Tokens.ISSUER.token("vault", "kitchen", Instant.now().plusSeconds(600)), "alg: none",
				() -> Tokens.unsigned("vault"), "other key", () -> Tokens.STRANGER.token("vault"), "cut",
				() -> Tokens.ISSUER.token("vault").substring(0, 300), "no token", () -> "no-token", "12 KB",
				() -> "e".repeat(12_000), "1 MB", () -> "e".repeat(1024 * 1024));
		return tokens.keySet()
			.stream()
			.sorted()
			.flatMap((name) -> Stream.of(Protocol.NATIVE, Protocol.GRPC)
				.map((protocol) -> Arguments.of(protocol, name, tokens.get(name))));
	}

	@ParameterizedTest(name = "{1} over {0}")
	@MethodSource("badTokens")
	void call_isRefused_withBadToken(Protocol protocol, String name, Supplier<String> token) {
		String value = token.get();
		Vault vault = application.service(Vault.class, protocol, "", "Bearer " + value);
		Key key = new Key("key");
		int made = Key.MADE.get();
		int calls = implementation.calls.get();
		RpcException refusal = catchThrowableOfType(RpcException.class, () -> vault.open(key));
		assertThat(refusal).isNotNull();
		if (!name.equals("1 MB")) { // which the client does not send
			assertThat(refusal.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
		}
		assertThat(refusal).hasMessageNotContaining(value);
		assertThat(implementation.calls).hasValue(calls);
		assertThat(Key.MADE).hasValue(made);
	}

	@ParameterizedTest
	@EnumSource(value = Protocol.class, names = { "NATIVE", "GRPC" })
	void token_isRefused_onceItHasExpired(Protocol protocol) {
		Vault vault = null;
		for (int seconds : List.of(4, 20, 100)) { // the machine may be slow
			Vault next = application.service(Vault.class, protocol, "",
					"Bearer " + Tokens.ISSUER.token("vault", "vault", Instant.now().plusSeconds(seconds)));
			if (vault == null && isOpen(next)) {
				vault = next;
			}
		}
		assertThat(vault).isNotNull();
		Vault open = vault;
		Applications.eventually(() -> !isOpen(open));
		RpcException refusal = catchThrowableOfType(RpcException.class, () -> open.open(new Key("key")));
		assertThat(refusal.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
	}

	private static boolean isOpen(Vault vault) {
		try {
			return vault.open(new Key("key")) != null;
		}
		catch (RpcException ex) {
			return false;
		}
	}

	static class Rules {

		@Bean
		RpcSecurity rpcSecurity() {
			return RpcSecurity.authorizeCalls((calls) -> calls.services(Vault.class).hasAuthority("SCOPE_vault"));
		}

	}

}
