package io.rpcboot.spring.security;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.context.RpcContext;
import io.rpcboot.spring.RpcService;
import io.rpcboot.transport.Protocol;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.oauth2.server.resource.introspection.SpringOpaqueTokenIntrospector;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Opaque tokens, which a server of tokens knows, and user names with passwords. */
class TokenKindsIntegrationTests {

	@TempDir
	Path files;

	private static String basic(String userAndPassword) {
		return "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
	}

	private void refused(SecuredApplication application, Protocol protocol, String credentials, RpcStatus status) {
		Teller teller = application.service(Teller.class, protocol, "", credentials);
		assertThat(catchThrowableOfType(RpcException.class, teller::name)).satisfies(
				(refusal) -> assertThat(refusal.status()).isEqualTo(status),
				(refusal) -> assertThat(refusal.getMessage()).doesNotContain(credentials.split(" ")[1]));
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void opaqueToken_isAskedAboutOnce(Protocol protocol) throws IOException {
		try (TokenServer tokens = new TokenServer();
				SecuredApplication application = new SecuredApplication(this.files,
						Map.of("test.introspection-uri", tokens.uri()), Introspection.class, TellerService.class)) {
			Teller teller = application.service(Teller.class, protocol, "", "Bearer of-ann");
			for (int i = 0; i < 20; i++) {
				assertThat(teller.name()).isEqualTo("ann");
			}
			assertThat(tokens.asked).hasValue(1);
			refused(application, protocol, "Bearer of-bob", RpcStatus.PERMISSION_DENIED);
			refused(application, protocol, "Bearer revoked", RpcStatus.UNAUTHENTICATED);
			refused(application, protocol, "Bearer fails", RpcStatus.UNAVAILABLE);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "NATIVE", "GRPC" })
	void userAndPassword_areChecked(Protocol protocol) {
		try (SecuredApplication application = new SecuredApplication(this.files, Map.of(), Passwords.class,
				TellerService.class)) {
			assertThat(application.service(Teller.class, protocol, "", basic("ann:pass:word")).name()).isEqualTo("ann");
			refused(application, protocol, basic("bob:pass:word"), RpcStatus.PERMISSION_DENIED);
			refused(application, protocol, basic("ann:password"), RpcStatus.UNAUTHENTICATED);
			refused(application, protocol, basic("carl:pass:word"), RpcStatus.UNAUTHENTICATED);
			refused(application, protocol, "Basic !", RpcStatus.UNAUTHENTICATED);
			refused(application, protocol, "Bearer of-ann", RpcStatus.UNAUTHENTICATED);
		}
	}

	private static RpcSecurity forScopeOrRole() {
		return RpcSecurity
			.authorizeCalls((calls) -> calls.services(Teller.class).hasAnyAuthority("SCOPE_teller", "ROLE_TELLER"));
	}

	public interface Teller {

		String name();

	}

	@RpcService
	public static class TellerService implements Teller {

		@Override
		public String name() {
			return RpcContext.current().caller().getName();
		}

	}

	static class Introspection {

		@Bean
		OpaqueTokenIntrospector introspector(Environment environment) {
			return SpringOpaqueTokenIntrospector
				.withIntrospectionUri(environment.getRequiredProperty("test.introspection-uri"))
				.clientId("vault")
				.clientSecret("secret")
				.build();
		}

		@Bean
		RpcSecurity rpcSecurity() {
			return forScopeOrRole();
		}

	}

	static class Passwords {

		@Bean
		RpcSecurity rpcSecurity() {
			AuthenticationManager manager = new ProviderManager(
					new DaoAuthenticationProvider(new InMemoryUserDetailsManager(
							User.withUsername("ann").password("{noop}pass:word").roles("TELLER").build(),
							User.withUsername("bob").password("{noop}pass:word").roles("GUEST").build())));
			return forScopeOrRole().withAuthenticationManager(manager);
		}

	}

	/** Server of tokens with an endpoint of RFC 7662. */
	private static final class TokenServer implements AutoCloseable {

		private final AtomicInteger asked = new AtomicInteger();

		private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
				0);

		TokenServer() throws IOException {
			this.server.createContext("/introspect", this::answer);
			this.server.start();
		}

		private void answer(HttpExchange exchange) throws IOException {
			String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
			this.asked.incrementAndGet();
			String answer = switch (request) {
				case "token=of-ann" -> "{\"active\": true, \"sub\": \"ann\", \"scope\": \"teller other\"}";
				case "token=of-bob" -> "{\"active\": true, \"sub\": \"bob\", \"scope\": \"other\"}";
				case "token=fails" -> "no JSON";
				default -> "{\"active\": false}";
			};
			boolean isKnown = basic("vault:secret").equals(exchange.getRequestHeaders().getFirst("Authorization"));
			byte[] body = answer.getBytes(StandardCharsets.UTF_8);
			exchange.getResponseHeaders().set("Content-Type", "application/json");
			exchange.sendResponseHeaders(isKnown ? 200 : 401, body.length);
			exchange.getResponseBody().write(body);
			exchange.close();
		}

		String uri() {
			return "http://127.0.0.1:%d/introspect".formatted(this.server.getAddress().getPort());
		}

		@Override
		public void close() {
			this.server.stop(0);
		}

	}

}
