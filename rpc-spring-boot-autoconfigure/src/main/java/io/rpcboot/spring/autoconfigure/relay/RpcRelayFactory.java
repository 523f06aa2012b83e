package io.rpcboot.spring.autoconfigure.relay;

import java.util.List;

import io.rpcboot.client.RpcClientBuilder;
import io.rpcboot.metrics.RpcMetrics;
import io.rpcboot.relay.RelayRoute;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.relay.RpcRelayBuilder;
import io.rpcboot.security.AccessOptions;
import io.rpcboot.server.RpcServer;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.spring.autoconfigure.client.RelayTargets;
import io.rpcboot.spring.autoconfigure.properties.ApplicationName;
import io.rpcboot.spring.autoconfigure.properties.InvalidPropertyException;
import io.rpcboot.spring.autoconfigure.properties.OptionToPropertyNames;
import io.rpcboot.spring.autoconfigure.relay.RpcRelayProperties.Route;
import io.rpcboot.spring.autoconfigure.server.RpcServerProperties;
import io.rpcboot.spring.autoconfigure.ssl.TlsBundles;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/** Creates the relay from properties and beans. */
final class RpcRelayFactory {

	static final String PREFIX = "rpc.relay.";

	private static final String SERVER_PREFIX = "rpc.server.";

	private final RpcRelayProperties properties;

	private final RpcServerProperties server;

	private final TlsBundles tls;

	private final RelayTargets targets;

	private final List<RpcMetrics> metrics;

	private final Environment environment;

	RpcRelayFactory(RpcRelayProperties properties, RpcServerProperties server, TlsBundles tls, RelayTargets targets,
			List<RpcMetrics> metrics, Environment environment) {
		this.properties = properties;
		this.server = server;
		this.tls = tls;
		this.targets = targets;
		this.metrics = metrics;
		this.environment = environment;
	}

	/**
	 * Returns a new relay, which is not bound.
	 * @param beside server of the application, null for none
	 * @throws io.rpcboot.RpcConfigurationException if a property or a bean is not usable
	 */
	RpcRelay create(@Nullable RpcServer beside) {
		Integer port = this.properties.port();
		if (port == null) {
			throw new IllegalStateException("no port");
		}
		if (beside != null && port != 0 && port == this.server.port()) {
			throw new InvalidPropertyException(PREFIX + "port", port.toString(),
					"another port than rpc.server.port, at which this application offers its own services");
		}
		RpcServerBuilder clients = OptionToPropertyNames.under(SERVER_PREFIX, this::clientSide);
		RpcClientBuilder servers = this.targets.builder();
		return OptionToPropertyNames.under(PREFIX, () -> {
			RpcRelayBuilder builder = RpcRelay.builder().port(port).server(clients).client(servers);
			for (int i = 0; i < this.properties.routes().size(); i++) {
				builder.route(route("routes[" + i + "]", this.properties.routes().get(i)));
			}
			return builder.build();
		});
	}

	private RpcServerBuilder clientSide() {
		RpcServerBuilder builder = RpcServer.builder();
		this.server.applyTo(builder, AccessOptions.defaults(), false, false);
		ApplicationName.apply(builder, this.environment, null);
		builder.http(this.server.http().toOptions()).metrics(RpcMetrics.all(this.metrics));
		String bundle = this.server.ssl().bundle();
		return bundle.isEmpty() ? builder : builder.tls(this.tls.get(SERVER_PREFIX + "ssl.bundle", bundle));
	}

	private RelayRoute route(String name, Route route) {
		return OptionToPropertyNames.under(PREFIX + name + ".",
				() -> RelayRoute.to(route.services())
					.withVersions(route.versions())
					.withGroups(route.groups())
					.withAttachments(route.attachments())
					.withAddedAttachments(route.addAttachments())
					.withRemovedAttachments(route.removeAttachments())
					.withTarget(this.targets.target(PREFIX + name, route)));
	}

}
