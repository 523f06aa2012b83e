package io.rpcboot.spring.actuate.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.spring.actuate.findings.DiagnosticScheduler;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.metrics.RpcMetricsAutoConfiguration;
import io.rpcboot.spring.autoconfigure.properties.ReloadableProperties;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Auto-configuration of the endpoint {@code rpc}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RpcClientAutoConfiguration.class, RpcMetricsAutoConfiguration.class })
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(RpcEndpoint.class)
@EnableConfigurationProperties(RpcEndpointProperties.class)
public final class RpcEndpointAutoConfiguration {

	/** Matches an address with user information, which may contain a password. */
	private static final Pattern USER_OF_URI = Pattern.compile(".*://[^/]*@.*");

	/** Matches ACLs of ZooKeeper with the hash of a password, which can be guessed. */
	private static final Pattern DIGEST_ACL = Pattern.compile("(?s).*\\bdigest:[^:]*:.*");

	/** Matches the properties of shared secrets, also as environment variables. */
	private static final Pattern SECRET = Pattern.compile("(?i)rpc[._](client|server)[._]auth[._]secret");

	@Bean
	@ConditionalOnMissingBean
	RpcEndpoint rpcEndpoint(ConfigurableListableBeanFactory beanFactory, ApplicationContext context,
			RpcEndpointProperties properties, ObjectProvider<SanitizingFunction> sanitizing,
			ObjectProvider<ReloadableProperties<?>> reloadable, ConfigurableEnvironment environment) {
		List<SanitizingFunction> functions = new ArrayList<>(sanitizing.orderedStream().toList());
		functions.add(unlessEmpty(SanitizingFunction.sanitizeValue().ifLikelyCredential()));
		functions.add(SanitizingFunction.sanitizeValue().ifValueStringMatches(USER_OF_URI, DIGEST_ACL));
		return new RpcEndpoint(new RpcBeans(beanFactory), context,
				new SettingsReport(context, new Sanitizer(functions), reloadable),
				new SettingsOperations(environment, reloadable), properties.showsValues());
	}

	/** Hides shared secrets from endpoints that show values. */
	@Bean
	static SanitizingFunction rpcSecretSanitizer() {
		return unlessEmpty(SanitizingFunction.sanitizeValue().ifKeyMatches(SECRET));
	}

	/**
	 * Returns a function that leaves empty values as they are: an unset secret needs no
	 * mask.
	 */
	private static SanitizingFunction unlessEmpty(SanitizingFunction function) {
		return (data) -> "".equals(data.getValue()) ? data : function.applyUnlessFiltered(data);
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnBean(RpcEndpoint.class)
	@ConditionalOnAvailableEndpoint(exposure = EndpointExposure.WEB)
	RpcEndpointWebExtension rpcEndpointWebExtension(RpcEndpoint endpoint, RpcEndpointProperties properties) {
		return new RpcEndpointWebExtension(endpoint, properties);
	}

	@Bean
	@ConditionalOnBean(RpcHistory.class)
	DiagnosticScheduler rpcLooks(RpcEndpoint endpoint) {
		return new DiagnosticScheduler(endpoint::check);
	}

}
