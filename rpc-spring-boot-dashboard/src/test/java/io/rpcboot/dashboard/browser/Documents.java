package io.rpcboot.dashboard.browser;

import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Documents of names and values in a row. */
final class Documents {

	private Documents() {
	}

	static Map<String, @Nullable Object> of(@Nullable Object... namesAndValues) {
		Map<String, @Nullable Object> document = new LinkedHashMap<>();
		for (int index = 0; index < namesAndValues.length; index += 2) {
			document.put(String.valueOf(namesAndValues[index]), namesAndValues[index + 1]);
		}
		return document;
	}

	/** Between -1 and 1, the same for the same seed, so that numbers look alive. */
	static double noise(long seed) {
		long mixed = seed * 0x9E3779B97F4A7C15L;
		mixed ^= mixed >>> 29;
		mixed *= 0xBF58476D1CE4E5B9L;
		mixed ^= mixed >>> 32;
		return (mixed & 0xFFFF) / 32768.0 - 1;
	}

	/** Three digits, as a person would write them. */
	static double round(double value) {
		return Math.round(value * 1000) / 1000.0;
	}

}
