package io.rpcboot.serialization.fory;

import java.lang.management.ManagementFactory;

/** Whether Fory can work on the JVM of the tests. */
public final class ForyAccess {

	static final String DENY = "--sun-misc-unsafe-memory-access=deny";

	private ForyAccess() {
	}

	/** Whether the JVM was started so that Fory cannot work. */
	public static boolean isDenied() {
		return ManagementFactory.getRuntimeMXBean().getInputArguments().contains(DENY);
	}

}
