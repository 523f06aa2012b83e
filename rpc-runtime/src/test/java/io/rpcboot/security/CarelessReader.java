package io.rpcboot.security;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Function;

/**
 * Reads as one must not: looks up a class by a name that came with the bytes. The word
 * before the name says in which way.
 */
public final class CarelessReader implements Function<String, Integer> {

	@Override
	public Integer apply(String input) {
		String name = input.substring(input.indexOf(' ') + 1);
		try {
			Class<?> loaded = switch (input.substring(0, input.indexOf(' '))) {
				case "own" -> Class.forName(name);
				case "uninitialized" -> Class.forName(name, false, CarelessReader.class.getClassLoader());
				case "other" -> Class.forName(name, false, other());
				default -> Thread.currentThread().getContextClassLoader().loadClass(name);
			};
			return loaded.getModifiers();
		}
		catch (ClassNotFoundException ex) {
			return 0;
		}
	}

	/** A class loader that knows nothing of the one that watches. */
	private static ClassLoader other() {
		URL classes = ClassLoader.getSystemResource("io/rpcboot/security/");
		try {
			return new URLClassLoader(new URL[] { new URL(classes, "../../../") }, null);
		}
		catch (MalformedURLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
