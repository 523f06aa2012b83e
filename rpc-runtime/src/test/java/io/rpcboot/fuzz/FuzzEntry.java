package io.rpcboot.fuzz;

import java.util.Objects;

/** Where the fuzzer comes in. */
public final class FuzzEntry {

	private static final FuzzTarget TARGET = Objects
		.requireNonNull(FuzzTargets.all().get(System.getProperty("fuzz.target", "deserializer")))
		.get();

	private FuzzEntry() {
	}

	/** Called by the fuzzer for each input. */
	public static void fuzzerTestOneInput(byte[] input) {
		TARGET.run(input);
	}

}
