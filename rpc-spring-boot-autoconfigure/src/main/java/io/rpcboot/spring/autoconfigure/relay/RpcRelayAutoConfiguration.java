package io.rpcboot.spring.autoconfigure.relay;

import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.server.RpcServer;
import io.rpcboot.spring.autoconfigure.client.RelayTargets;
import io.rpcboot.spring.autoconfigure.client.RpcClientAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerAutoConfiguration;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import io.rpcboot.spring.lifecycle.RpcRelayLifecycle;
import io.rpcboot.transport.TlsOptions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of a relay, which passes calls on to other servers. An application
 * with {@code rpc.relay.port} has one.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = { RpcClientAutoConfiguration.class, RpcServerAutoConfiguration.class })
@ConditionalOnProperty("rpc.relay.port")
@EnableConfigurationProperties({ RpcRelayProperties.class, RpcServerProperties.class })
public final class RpcRelayAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RpcRelay rpcRelay(RpcRelayProperties properties, RpcServerProperties server,
			@Qualifier("rpcRelayTls") TlsBundles tls, RelayTargets targets, ObjectProvider<RpcMetrics> metrics,
			ObjectProvider<RpcServer> servers, Environment environment) {
		return new RpcRelayFactory(properties, server, tls, targets, metrics.orderedStream().toList(), environment)
			.create(servers.getIfAvailable());
	}

	@Bean
	TlsBundles rpcRelayTls(RpcServerProperties properties, ObjectProvider<SslBundles> bundles,
			ConfigurableListableBeanFactory beanFactory) {
		return new TlsBundles(bundles.getIfAvailable(DefaultSslBundleRegistry::new), properties.ssl()::applyTo,
				(before, next) -> renewTls(beanFactory, next));
	}

	/** Renews TLS of the port; a change of files creates no bean. */
	private static void renewTls(ConfigurableListableBeanFactory beanFactory, TlsOptions next) {
		if (beanFactory.getSingleton("rpcRelay") instanceof RpcRelay relay) {
			relay.renewTls(next);
		}
	}

	@Bean
	@ConditionalOnMissingBean
	RpcRelayLifecycle rpcRelayLifecycle(RpcRelay relay, RpcServerProperties server) {
		return new RpcRelayLifecycle(relay, server.shutdown().gracePeriod());
	}

}
