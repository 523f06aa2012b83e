package io.rpcboot.spring.autoconfigure.properties;

import java.util.Locale;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Masks secrets in messages about properties.
 *
 * @since 0.1.0
 */
public final class Redaction {

	private static final String MASK = "******";

	private Redaction() {
	}

	/**
	 * Returns a value for a message.
	 * @param value the value
	 * @param names written and suggested name of the property
	 * @return stars if one of the names is that of a secret
	 */
	public static String shown(@Nullable Object value, String... names) {
		return Stream.of(names).anyMatch(Redaction::isSecret) ? MASK : String.valueOf(value);
	}

	private static boolean isSecret(String name) {
		String element = name.replaceFirst("(\\[\\d*])+$", "");
		String word = element.substring(element.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT).replaceAll("\\W", "");
		return word.endsWith("key") || Stream.of("password", "secret", "token", "credential").anyMatch(word::contains);
	}

}
