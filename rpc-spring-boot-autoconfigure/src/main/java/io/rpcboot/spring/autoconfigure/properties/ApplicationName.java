package io.rpcboot.spring.autoconfigure.properties;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/**
 * Name of the application: its servers are registered with it, and both sides send it in
 * the handshake.
 *
 * @since 0.1.0
 */
public final class ApplicationName {

	private static final String PROPERTY = "spring.application.name";

	private ApplicationName() {
	}

	/**
	 * Returns the name, without surrounding space.
	 * @return empty if it is not set
	 */
	public static String of(Environment environment) {
		return environment.getProperty(PROPERTY, "").strip();
	}

	/**
	 * Sets the name of the application. Instances of an application share it, so it is
	 * required with a registry that other processes see.
	 */
	public static void apply(RpcServerBuilder builder, Environment environment, @Nullable Registry registry) {
		String name = of(environment);
		if (!name.isEmpty()) {
			apply(builder, name);
		}
		else if (registry != null && !(registry instanceof InMemoryRegistry)) {
			throw new RpcConfigurationException(
					"%s is not set, but this application offers services in a registry (%s)".formatted(PROPERTY,
							registry.description()),
					"Set %s, for example %s=user-service; all instances of this application share the name."
						.formatted(PROPERTY, PROPERTY));
		}
	}

	private static void apply(RpcServerBuilder builder, String name) {
		try {
			builder.applicationName(name);
		}
		catch (InvalidOptionException ex) {
			throw new InvalidPropertyException(ex, PROPERTY);
		}
	}

}
