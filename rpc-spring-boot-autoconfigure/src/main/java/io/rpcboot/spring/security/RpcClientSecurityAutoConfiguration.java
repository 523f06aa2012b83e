package io.rpcboot.spring.security;

import io.rpcboot.interceptor.RpcClientInterceptor;
import io.rpcboot.security.CredentialsProvider;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.client.RpcClientProperties;
import io.rpcboot.spring.autoconfigure.properties.ApplicationName;
import io.rpcboot.spring.reference.PolicyBeans;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.AuthorizedClientServiceOAuth2AuthorizedClientManager;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.AbstractOAuth2Token;

/**
 * Auto-configuration of Spring Security for the calls of a client: tokens of a client
 * registration, and relay of the token of a security context.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = RpcClientAutoConfiguration.class,
		afterName = "org.springframework.boot.security.oauth2.client.autoconfigure.OAuth2ClientAutoConfiguration")
@ConditionalOnClass({ SecurityContextHolder.class, AbstractOAuth2Token.class })
public final class RpcClientSecurityAutoConfiguration {

	@Bean(name = PolicyBeans.TOKEN_RELAY, defaultCandidate = false)
	RpcClientInterceptor rpcTokenRelay() {
		return new TokenRelay();
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(OAuth2AuthorizedClientService.class)
	@ConditionalOnProperty("rpc.client.auth.oauth2-registration")
	@ConditionalOnBean({ ClientRegistrationRepository.class, OAuth2AuthorizedClientService.class })
	static class Registration {

		@Bean
		@ConditionalOnMissingBean
		CredentialsProvider rpcOAuth2Credentials(RpcClientProperties properties,
				ObjectProvider<AuthorizedClientServiceOAuth2AuthorizedClientManager> manager,
				ClientRegistrationRepository registrations, OAuth2AuthorizedClientService clients,
				Environment environment) {
			String application = ApplicationName.of(environment);
			return new OAuth2Credentials(
					manager.getIfUnique(
							() -> new AuthorizedClientServiceOAuth2AuthorizedClientManager(registrations, clients)),
					properties.auth().oauth2Registration(), application.isEmpty() ? "rpc-client" : application);
		}

	}

}
