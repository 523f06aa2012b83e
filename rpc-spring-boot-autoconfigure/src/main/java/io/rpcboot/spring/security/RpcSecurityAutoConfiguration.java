package io.rpcboot.spring.security;

import java.util.List;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.security.Authenticator;
import io.rpcboot.security.Credentials;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.properties.TestContextDetector;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import io.rpcboot.spring.service.RpcServiceExporter;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigureOrder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.security.access.hierarchicalroles.RoleHierarchy;
import org.springframework.security.authentication.AuthenticationEventPublisher;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.AuthenticationManagerResolver;
import org.springframework.security.authentication.DefaultAuthenticationEventPublisher;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authorization.AuthorizationEventPublisher;
import org.springframework.security.authorization.DefaultAuthorizationManagerFactory;
import org.springframework.security.authorization.SpringAuthorizationEventPublisher;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolderStrategy;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.authentication.JwtAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.authentication.OpaqueTokenAuthenticationProvider;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenAuthenticationConverter;
import org.springframework.security.oauth2.server.resource.introspection.OpaqueTokenIntrospector;
import org.springframework.security.web.authentication.preauth.PreAuthenticatedAuthenticationToken;

/**
 * Auto-configuration of Spring Security for the calls of a server: the security context
 * of calls, and with an {@link RpcSecurity} bean the check of tokens and rules. Runs
 * after all other auto-configurations, because these may define that bean.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = RpcServerAutoConfiguration.class, afterName = {
		"org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
		"org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerAutoConfiguration" })
@AutoConfigureOrder(Ordered.LOWEST_PRECEDENCE)
@ConditionalOnClass(PreAuthenticatedAuthenticationToken.class)
public final class RpcSecurityAutoConfiguration {

	@Bean
	CallerAuthentications rpcCallerAuthentications(ObjectProvider<RpcSecurity> security, ListableBeanFactory beans) {
		RpcSecurity found = security.getIfAvailable();
		if (found != null && BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RuleAuthorizer.class, true,
				false).length == 0) {
			throw new RpcConfigurationException(
					"RpcSecurity: a bean that was registered after auto-configuration began, so that its rules hold nowhere",
					"Declare the bean in a @Configuration class of the application, or in an auto-configuration.");
		}
		return new CallerAuthentications((found != null) ? found::authorities : (caller) -> List.of());
	}

	@Bean
	SecurityContextInterceptor rpcSecurityContextInterceptor(CallerAuthentications authentications,
			ObjectProvider<SecurityContextHolderStrategy> holder) {
		return new SecurityContextInterceptor(authentications,
				holder.getIfUnique(SecurityContextHolder::getContextHolderStrategy));
	}

	@Bean
	static ServiceMarkerPostProcessor rpcServiceMarkerPostProcessor(ObjectProvider<RpcServiceExporter> services) {
		return new ServiceMarkerPostProcessor(services);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBean(RpcSecurity.class)
	static class Rules {

		@Bean
		SecurityEvents rpcSecurityEvents(ObjectProvider<AuthenticationEventPublisher> authentications,
				ObjectProvider<AuthorizationEventPublisher> authorizations, ApplicationEventPublisher events) {
			return new SecurityEvents(
					authentications.getIfAvailable(() -> new DefaultAuthenticationEventPublisher(events)),
					authorizations.getIfAvailable(() -> new SpringAuthorizationEventPublisher(events)),
					System::nanoTime);
		}

		@Bean
		RuleAuthorizer rpcRuleAuthorizer(RpcSecurity security, CallerAuthentications authentications,
				SecurityEvents events, ObjectProvider<RoleHierarchy> roles) {
			DefaultAuthorizationManagerFactory<CallAuthorizationContext> managers = new DefaultAuthorizationManagerFactory<>();
			roles.ifAvailable(managers::setRoleHierarchy);
			return new RuleAuthorizer(security.rules(managers), authentications, events);
		}

		@Bean
		@Nullable Authenticator rpcSpringAuthenticator(RpcSecurity security, ObjectProvider<TokenProvider> providers,
				SecurityEvents events) {
			AuthenticationManagerResolver<Credentials> chosen = security.managers();
			List<TokenProvider> known = providers.orderedStream().toList();
			if (chosen == null && known.isEmpty()) {
				return null;
			}
			return new SpringAuthenticator((chosen != null) ? chosen : TokenProvider.managers(known), events);
		}

		@Bean
		@ConditionalOnBean(value = RpcSecurity.class, search = SearchStrategy.CURRENT)
		SmartInitializingSingleton rpcRuleNamesCheck(ObjectProvider<RpcServer> server, RuleAuthorizer rules,
				Environment environment) {
			return () -> server.ifAvailable((offering) -> {
				RpcConfigurationException mistake = new RuleNamesCheck(offering.services()).mistake(rules.rules());
				if (mistake != null && !TestContextDetector.isTest(environment)) {
					throw mistake;
				}
				if (mistake != null) { // a test may leave out the service
					LoggerFactory.getLogger("rpc.spring").warn("{}", mistake.getMessage());
				}
			});
		}

		@Bean
		@ConditionalOnBean(value = RpcSecurity.class, search = SearchStrategy.CURRENT)
		SmartInitializingSingleton rpcHealthRulesCheck(ObjectProvider<RpcServer> server, RuleAuthorizer rules,
				ObjectProvider<RpcServerProperties> properties) {
			return () -> server.ifAvailable((offering) -> {
				if (offering.health() != null) {
					properties.ifAvailable((each) -> HealthRulesCheck.check(rules, each.ssl()));
				}
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ JwtAuthenticationProvider.class, JwtDecoder.class })
	@ConditionalOnBean({ RpcSecurity.class, JwtDecoder.class })
	static class Jwt {

		@Bean
		TokenProvider rpcJwtProvider(JwtDecoder decoder, ObjectProvider<JwtAuthenticationProvider> provider,
				ObjectProvider<JwtAuthenticationConverter> converter) {
			return new TokenProvider(true, new ProviderManager(provider.getIfAvailable(() -> {
				JwtAuthenticationProvider created = new JwtAuthenticationProvider(decoder);
				converter.ifAvailable(created::setJwtAuthenticationConverter);
				return created;
			})));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(OpaqueTokenAuthenticationProvider.class)
	@ConditionalOnBean({ RpcSecurity.class, OpaqueTokenIntrospector.class })
	static class Opaque {

		@Bean
		TokenProvider rpcOpaqueTokenProvider(OpaqueTokenIntrospector introspector,
				ObjectProvider<OpaqueTokenAuthenticationConverter> converter) {
			OpaqueTokenAuthenticationProvider created = new OpaqueTokenAuthenticationProvider(introspector);
			converter.ifAvailable(created::setAuthenticationConverter);
			return new TokenProvider(false, new ProviderManager(created));
		}

	}

	/**
	 * Provider of one kind of bearer tokens.
	 *
	 * @param jwt true for JSON Web Tokens, false for opaque ones
	 */
	record TokenProvider(boolean jwt, AuthenticationManager manager) {

		/** Three parts, of which the first is Base64 of a JSON object. */
		private static final String JWT = "eyJ[\\w-]*\\.[\\w-]+\\.[\\w-]*";

		/** Returns the manager of a token by its form; the only one takes all. */
		static AuthenticationManagerResolver<Credentials> managers(List<TokenProvider> providers) {
			return (credentials) -> providers.stream()
				.filter((each) -> providers.size() == 1 || each.jwt() == credentials.value().matches(JWT))
				.findFirst()
				.map(TokenProvider::manager)
				.orElseThrow();
		}

	}

}
