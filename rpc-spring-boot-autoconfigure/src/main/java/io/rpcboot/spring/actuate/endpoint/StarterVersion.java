package io.rpcboot.spring.actuate.endpoint;

import org.jspecify.annotations.Nullable;

/** The version of the starter, as its jar has it. */
public final class StarterVersion {

	private StarterVersion() {
	}

	/** For example {@code 0.1.0}; null outside a jar, such as in an IDE. */
	public static @Nullable String get() {
		return StarterVersion.class.getPackage().getImplementationVersion();
	}

}
