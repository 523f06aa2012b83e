package io.rpcboot.spring.security;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;

import io.rpcboot.RpcException;
import io.rpcboot.RpcStatus;
import io.rpcboot.security.Credentials;
import io.rpcboot.spring.security.TokenKindsIntegrationTests.Teller;
import io.rpcboot.spring.security.TokenKindsIntegrationTests.TellerService;
import io.rpcboot.transport.Protocol;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.oauth2.server.resource.authentication.BearerTokenAuthenticationToken;
import org.springframework.security.oauth2.server.resource.web.DefaultBearerTokenResolver;
import org.springframework.security.web.authentication.www.BasicAuthenticationConverter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Credentials arrive as Spring Security reads them from a request of HTTP. */
class CredentialFormsIntegrationTests {

	@TempDir
	static Path files;

	private static SecuredApplication application;

	@BeforeAll
	static void start() {
		application = new SecuredApplication(files, Map.of(), Everybody.class, TellerService.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@AfterEach
	void closeClients() {
		application.closeClients();
	}

	private static String basic(String userAndPassword) {
		return "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
	}

	/** The AUTH frame of a native connection, and credentials of calls. */
	private static Stream<Arguments> eachWay(String... headers) {
		return Stream.of(headers)
			.flatMap((each) -> Stream.of(Arguments.of(Protocol.NATIVE, true, each),
					Arguments.of(Protocol.NATIVE, false, each), Arguments.of(Protocol.GRPC, false, each)));
	}

	private static Teller teller(Protocol protocol, boolean ofConnection, String header) {
		return ofConnection ? application.service(Teller.class, protocol, Credentials.of(header))
				: application.service(Teller.class, protocol, "", header);
	}

	static Stream<Arguments> credentials() {
		return eachWay("Bearer abc", "BEARER abc", "bEaReR abc", "Bearer YWJj==", "Bearer aZ09-._~+/aZ09===",
				"Bearer " + "x".repeat(Credentials.MAX_LENGTH - 7), basic("ann:secret"), basic("ann:pass:word"),
				basic("ann::"), basic("ann:"), basic("\u00e4nn:p\u00e4\u20ac\ud83d\ude00:w\u00f6rd"),
				basic("ann:secret").replace("Basic", "basic"), basic("ann:secret").replace("Basic", "BASIC"),
				basic("ann:secret1").replace("=", ""), basic("ann:" + "x".repeat(6134)));
	}

	static Stream<Arguments> malformed() {
		return eachWay("Bearer a b", "Bearer a,b", "Bearer a=b", "Bearer ===", "Bearer a\"b", "Bearer  abc",
				"Bearer abc,Bearer def", "Bearer a@b", "Basic !", "Basic YWJj", "Basic  YW5uOnNlY3JldA==",
				"Basic YW5uOnNlY3JldA==,YW5u", "DPoP abc", "Digest username=ann", "Negotiate abc");
	}

	/** Returns what Spring Security finds in a request of HTTP, null if it refuses it. */
	private static @Nullable String overHttp(String header) {
		MockHttpServletRequest request = new MockHttpServletRequest();
		request.addHeader("Authorization", header);
		try {
			String token = new DefaultBearerTokenResolver().resolve(request);
			Authentication basic = new BasicAuthenticationConverter().convert(request);
			return (token != null) ? "token " + token : (basic != null) ? user(basic) : null;
		}
		catch (AuthenticationException ex) {
			return null;
		}
	}

	private static String user(Authentication request) {
		return "user " + request.getPrincipal() + " with " + request.getCredentials();
	}

	@ParameterizedTest
	@MethodSource("credentials")
	void credentials_arriveAsOverHttp(Protocol protocol, boolean ofConnection, String header) {
		assertThat(teller(protocol, ofConnection, header).name()).isNotNull().isEqualTo(overHttp(header));
	}

	@ParameterizedTest
	@MethodSource("malformed")
	void malformedCredentials_areRefusedAsOverHttp(Protocol protocol, boolean ofConnection, String header) {
		assertThat(overHttp(header)).isNull();
		Teller teller = teller(protocol, ofConnection, header);
		RpcException refusal = catchThrowableOfType(RpcException.class, teller::name);
		assertThat(refusal).isNotNull();
		assertThat(refusal.status()).isEqualTo(RpcStatus.UNAUTHENTICATED);
		assertThat(refusal.mayHaveExecuted()).isFalse();
	}

	/** Accepts everybody, and tells what it was asked. */
	static class Everybody {

		@Bean
		RpcSecurity rpcSecurity() {
			return RpcSecurity.authorizeCalls((calls) -> calls.services(Teller.class).authenticated())
				.withAuthenticationManager(
						(request) -> UsernamePasswordAuthenticationToken
							.authenticated(
									(request instanceof BearerTokenAuthenticationToken token)
											? "token " + token.getToken() : user(request),
									null, AuthorityUtils.NO_AUTHORITIES));
		}

	}

}
