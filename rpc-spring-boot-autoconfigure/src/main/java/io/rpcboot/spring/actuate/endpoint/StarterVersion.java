package io.rpcboot.spring.actuate.endpoint;

import org.jspecify.annotations.Nullable;

/**
 * Version of the starter, from the manifest of its jar.
 *
 * @since 0.1.0
 */
public final class StarterVersion {

	private StarterVersion() {
	}

	/** Returns, for example, {@code 0.1.0}; null outside a jar, such as in an IDE. */
	public static @Nullable String get() {
		return StarterVersion.class.getPackage().getImplementationVersion();
	}

}
