package io.rpcboot.spring.actuate;

import java.util.Objects;

/** The version of the starter, as its jar has it. */
final class StarterVersion {

	private StarterVersion() {
	}

	/** For example {@code 0.1.0}; {@code unknown} outside a jar. */
	static String get() {
		return Objects.requireNonNullElse(StarterVersion.class.getPackage().getImplementationVersion(), "unknown");
	}

}
