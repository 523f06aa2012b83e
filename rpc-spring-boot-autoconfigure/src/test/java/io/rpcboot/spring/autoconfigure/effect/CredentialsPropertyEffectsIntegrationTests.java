package io.rpcboot.spring.autoconfigure.effect;

import java.security.Principal;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

import io.rpcboot.client.RpcClient;
import io.rpcboot.context.CallOptions;
import io.rpcboot.context.CallerIdentity;
import io.rpcboot.context.RpcContext;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.security.Credentials;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.RpcReference;
import io.rpcboot.spring.RpcServerBuilderCustomizer;
import io.rpcboot.spring.RpcService;
import io.rpcboot.spring.actuate.endpoint.RpcEndpointAutoConfiguration;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import io.rpcboot.spring.autoconfigure.fixture.Applications;
import io.rpcboot.spring.autoconfigure.fixture.PropertyEffect;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.actuate.autoconfigure.context.properties.ConfigurationPropertiesReportEndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.env.EnvironmentEndpointAutoConfiguration;
import org.springframework.boot.actuate.context.properties.ConfigurationPropertiesReportEndpoint;
import org.springframework.boot.actuate.env.EnvironmentEndpoint;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.MapPropertySource;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.InMemoryClientRegistrationRepository;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/** Effects of the properties of credentials at the client. */
class CredentialsPropertyEffectsIntegrationTests {

	private static final String SECRET = "a-secret-of-all-servers";

	private static EffectApplication run(Map<String, Object> properties, Class<?>... beans) {
		Map<String, Object> all = new HashMap<>(Map.of("rpc.client.auth.allow-clear-text", true));
		all.putAll(properties);
		Class<?>[] sources = Arrays.copyOf(beans, beans.length + 2);
		sources[beans.length] = Echo.class;
		sources[beans.length + 1] = TokensAreNames.class;
		return EffectApplication.run(all, sources);
	}

	private static String caller(EffectApplication application) {
		return application.context.getBean(Echo.class).who.caller();
	}

	/** Service that tells who calls. */
	public interface Who {

		String caller();

		/** Asks the service of another reference. */
		String next();

	}

	@RpcService
	static class Echo implements Who {

		@RpcReference(name = "who")
		Who who;

		@RpcReference(name = "relaying")
		Who relaying;

		@Override
		public String caller() {
			return RpcContext.current().caller().getName();
		}

		@Override
		public String next() {
			return this.relaying.caller();
		}

	}

	/** Takes each token as the name of the caller. */
	static class TokensAreNames implements RpcServerBuilderCustomizer {

		@Override
		public void customize(RpcServerBuilder builder) {
			builder.access(AccessOptions.defaults().withClearTextCredentials(true).withAuthenticator((credentials) -> {
				Principal user = credentials::value;
				return CallerIdentity.of(user, Instant.MAX);
			}).withAuthorizer((caller, service, method) -> true));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneProvider {

		@Bean
		CredentialsProvider tokens() {
			return () -> Credentials.bearer("ann");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryProvider {

		@Bean
		@Primary
		CredentialsProvider first() {
			return () -> Credentials.bearer("carol");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ProviderByName {

		@Bean(defaultCandidate = false)
		CredentialsProvider others() {
			return () -> Credentials.bearer("bob");
		}

	}

	@Test
	@PropertyEffect("rpc.client.auth.secret")
	void connections_sendSecret() {
		try (EffectApplication application = run(Map.of("rpc.client.auth.secret", SECRET))) {
			assertThat(caller(application)).isEqualTo(SECRET);
			assertThat(application.context.getBean(RpcClientProperties.class).toString()).doesNotContain(SECRET);
		}
	}

	/** A bean for single references is none. */
	@Test
	void providerBesideSecret_endsStart_unlessItIsPrimary() {
		Map<String, Object> secret = Map.of("rpc.client.auth.secret", SECRET);
		assertThatException().isThrownBy(() -> run(secret, OneProvider.class))
			.withStackTraceContaining(
					"rpc.client.auth.secret: set, but the bean 'tokens' gives credentials to all references");
		try (EffectApplication application = run(secret, OneProvider.class, PrimaryProvider.class)) {
			assertThat(caller(application)).isEqualTo("carol");
		}
		try (EffectApplication application = run(secret, ProviderByName.class)) {
			assertThat(caller(application)).isEqualTo(SECRET);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "references.who", "services.Who" })
	@PropertyEffect("rpc.client.references.users.credentials")
	void reference_hasProviderOfItsOwn(String prefix) {
		try (EffectApplication application = run(Map.of("rpc.client." + prefix + ".credentials", "others"),
				OneProvider.class, ProviderByName.class)) {
			assertThat(caller(application)).isEqualTo("bob");
		}
	}

	@Test
	@PropertyEffect("rpc.client.auth.allow-clear-text")
	void credentialsWithoutTls_endStart_unlessTheyAreAllowed() {
		assertThatException()
			.isThrownBy(() -> run(Map.of("rpc.client.auth.secret", SECRET, "rpc.client.auth.allow-clear-text", false)))
			.havingRootCause()
			.withMessageEndingWith("rpc.client.auth.allow-clear-text: false, but credentials would travel without TLS");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					auth.secret | short | rpc.client.auth.secret: 5 characters (expected: at least 16 visible characters of ASCII)
					auth.oauth2-registration | mine | rpc.client.auth.oauth2-registration: 'mine' (expected: none without the client registrations of spring-security-oauth2-client)
					references.who.credentials | mine | rpc.client.references.who.credentials: 'mine' (expected: none, default, or the name of a bean of type CredentialsProvider
					forward-attachments | Authorization | rpc.client.forward-attachments: Authorization has credentials of the caller
					""")
	void wrongProperty_endsStart(String property, String value, String message) {
		assertThatException().isThrownBy(() -> run(Map.of("rpc.client." + property, value)))
			.withStackTraceContaining(message);
	}

	@Test
	@PropertyEffect("rpc.client.references.users.relay-credentials")
	void calls_carryTokenOfCaller_whereReferenceRelaysIt() throws Exception {
		Map<String, Object> relay = Map.of("rpc.client.references.relaying.relay-credentials", true);
		try (EffectApplication application = run(relay, OneProvider.class)) {
			Who who = application.context.getBean(Echo.class).who;
			CallOptions carol = CallOptions.none().and("authorization", "Bearer carol");
			assertThat(carol.call(who::next)).isEqualTo("carol");
			assertThat(who.next()).as("without a token of the call").isEqualTo("ann");
		}
		try (EffectApplication application = run(Map.of(), OneProvider.class)) {
			Who who = application.context.getBean(Echo.class).who;
			CallOptions carol = CallOptions.none().and("authorization", "Bearer carol");
			assertThat(carol.call(who::next)).isEqualTo("ann");
		}
	}

	@Test
	void calls_carryTokenOfSecurityContext_whereReferenceRelaysIt() {
		OAuth2AccessToken token = new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, "dora", Instant.now(),
				Instant.now().plusSeconds(60));
		try (EffectApplication application = run(Map.of("rpc.client.references.relaying.relay-credentials", true),
				OneProvider.class)) {
			Echo echo = application.context.getBean(Echo.class);
			SecurityContextHolder.getContext().setAuthentication(new UsernamePasswordAuthenticationToken("any", token));
			assertThat(echo.relaying.caller()).isEqualTo("dora");
			assertThat(echo.who.caller()).isEqualTo("ann");
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

	/** Registration of a client whose tokens an identity provider would issue. */
	@Configuration(proxyBeanMethods = false)
	static class Registrations {

		@Bean
		ClientRegistrationRepository registrations() {
			return new InMemoryClientRegistrationRepository(ClientRegistration.withRegistrationId("idp")
				.clientId("orders")
				.clientSecret("unused")
				.authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
				.tokenUri("http://127.0.0.1:1/token")
				.build());
		}

		@Bean
		OAuth2AuthorizedClientService clients(ClientRegistrationRepository registrations) {
			return new InMemoryOAuth2AuthorizedClientService(registrations);
		}

		@Bean
		AuthorizedClientServiceOAuth2AuthorizedClientManager manager(ClientRegistrationRepository registrations,
				OAuth2AuthorizedClientService clients) {
			AuthorizedClientServiceOAuth2AuthorizedClientManager manager = new AuthorizedClientServiceOAuth2AuthorizedClientManager(
					registrations, clients);
			manager.setAuthorizedClientProvider((context) -> new OAuth2AuthorizedClient(context.getClientRegistration(),
					context.getPrincipal().getName(),
					new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER,
							"token-for-" + context.getPrincipal().getName(), Instant.now(),
							Instant.now().plusSeconds(300))));
			return manager;
		}

	}

	@Test
	@PropertyEffect("rpc.client.auth.oauth2-registration")
	void connections_sendTokensOfRegistration() {
		try (EffectApplication application = run(
				Map.of("rpc.client.auth.oauth2-registration", "idp", "spring.application.name", "orders"),
				Registrations.class)) {
			assertThat(caller(application)).isEqualTo("token-for-orders");
		}
	}

	@Test
	void secret_isHidden_inEndpointsThatShowValues() {
		Applications.inProcess()
			.withPropertyValues("management.endpoints.web.exposure.include=*",
					"management.endpoint.env.show-values=always", "management.endpoint.configprops.show-values=always",
					"rpc.client.auth.secret=" + SECRET)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource("variables", Map.of("RPC_CLIENT_AUTH_SECRET", SECRET))))
			.withConfiguration(AutoConfigurations.of(EnvironmentEndpointAutoConfiguration.class,
					ConfigurationPropertiesReportEndpointAutoConfiguration.class, RpcEndpointAutoConfiguration.class))
			.run((context) -> {
				assertThat(context.getBean(EnvironmentEndpoint.class).environment(null).getPropertySources())
					.flatExtracting((source) -> source.getProperties().entrySet())
					.filteredOn((entry) -> entry.toString().toLowerCase().contains("secret"))
					.hasSizeGreaterThanOrEqualTo(2)
					.allSatisfy((entry) -> assertThat(((Map.Entry<?, ?>) entry).getValue()).extracting("value")
						.isEqualTo("******"));
				assertThat(context.getBean(ConfigurationPropertiesReportEndpoint.class)
					.configurationPropertiesWithPrefix("rpc.client")
					.getContexts()
					.values()
					.stream()
					.flatMap((each) -> each.getBeans().values().stream())
					.map((bean) -> bean.getProperties() + " " + bean.getInputs())).isNotEmpty()
					.allSatisfy((text) -> assertThat(text).contains("secret").doesNotContain(SECRET));
				assertThat(context.getBean(RpcClient.class)).isNotNull();
			});
	}

}
