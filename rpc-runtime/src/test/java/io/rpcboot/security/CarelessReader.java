package io.rpcboot.security;

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
				case "system" -> Class.forName(name, false, ClassLoader.getSystemClassLoader());
				default -> Thread.currentThread().getContextClassLoader().loadClass(name);
			};
			return loaded.getModifiers();
		}
		catch (ClassNotFoundException ex) {
			return 0;
		}
	}

}
