package io.rpcboot.spring.autoconfigure.properties;

import io.rpcboot.RpcConfigurationException;
import io.rpcboot.registry.InMemoryRegistry;
import io.rpcboot.registry.Registry;
import io.rpcboot.server.RpcServerBuilder;
import io.rpcboot.transport.Options.InvalidOptionException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.Environment;

/** The name under which a server is registered, and both sides introduce themselves. */
public final class ApplicationName {

	private static final String PROPERTY = "spring.application.name";

	private ApplicationName() {
	}

	/**
	 * The name as it was given, without space around it.
	 * @return empty if it is not set
	 */
	public static String of(Environment environment) {
		return environment.getProperty(PROPERTY, "").strip();
	}

	/**
	 * Take the name of the application. Instances of one application share it, so it must
	 * be given where others see it.
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
					"Set %s; all instances of this application share it, for example %s=user-service."
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
