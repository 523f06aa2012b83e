package io.rpcboot.internal.protocol.connect;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import io.rpcboot.internal.text.PrintableText;
import org.jspecify.annotations.Nullable;

/**
 * Request of Connect by GET: its message is in the query of the path. Other parameters
 * than those of Connect are ignored.
 *
 * @param type format of the message
 * @param isCompressed true if the message is compressed with gzip
 * @param message the message
 * @param problem reason why the query cannot be read, null if it can
 */
public record GetQuery(ContentType type, boolean isCompressed, byte[] message, @Nullable String problem) {

	private static final int MAX_QUOTED = 40;

	private static final Set<String> KNOWN = Set.of("connect", "encoding", "message", "base64", "compression");

	/**
	 * Reads a query.
	 * @param query text behind the question mark of a path
	 * @return null for a query that is none of Connect, because it has no encoding
	 */
	public static @Nullable GetQuery parse(String query) {
		Map<String, String> parameters = new HashMap<>();
		try {
			for (String each : query.split("&")) {
				int end = each.indexOf('=');
				String name = (end < 0) ? each : each.substring(0, end);
				String value = (end < 0) ? "" : each.substring(end + 1);
				if (KNOWN.contains(name) && parameters.putIfAbsent(name, value) != null) {
					throw new IllegalArgumentException(shown(name, value) + " (expected: each parameter once)");
				}
			}
			return parameters.containsKey("encoding") ? of(parameters) : null;
		}
		catch (IllegalArgumentException ex) {
			return parameters.containsKey("encoding")
					? new GetQuery(type(parameters), false, new byte[0], ex.getMessage()) : null;
		}
	}

	private static ContentType type(Map<String, String> parameters) {
		return switch (parameters.getOrDefault("encoding", "")) {
			case "json" -> ContentType.JSON;
			case "proto" -> ContentType.PROTOBUF;
			default -> ContentType.OTHER;
		};
	}

	private static GetQuery of(Map<String, String> parameters) {
		require(parameters, "connect", "v1");
		String compression = require(parameters, "compression", "identity", "gzip");
		String base64 = require(parameters, "base64", "0", "1");
		String given = parameters.getOrDefault("message", "");
		byte[] message = percentDecoded(given);
		return new GetQuery(type(parameters), compression.equals("gzip"),
				base64.equals("1") ? base64Decoded(message, given) : message, null);
	}

	/** Returns the value of a parameter. The first value is that of one not given. */
	private static String require(Map<String, String> parameters, String name, String... expected) {
		String value = parameters.getOrDefault(name, expected[0]);
		for (String each : expected) {
			if (each.equals(value)) {
				return value;
			}
		}
		throw new IllegalArgumentException(
				"%s (expected: %s)".formatted(shown(name, value), String.join(" or ", expected)));
	}

	private static byte[] base64Decoded(byte[] text, String given) {
		try {
			return Base64.getUrlDecoder().decode(text);
		}
		catch (IllegalArgumentException ex) {
			throw new IllegalArgumentException(
					shown("message", given) + " (expected: Base64 with the alphabet for URLs, because base64=1)");
		}
	}

	/** Decodes a value as forms have it: a plus is a blank. */
	private static byte[] percentDecoded(String value) {
		byte[] text = value.getBytes(StandardCharsets.ISO_8859_1);
		ByteArrayOutputStream decoded = new ByteArrayOutputStream(text.length);
		for (int i = 0; i < text.length; i++) {
			if (text[i] != '%') {
				decoded.write((text[i] == '+') ? ' ' : text[i]);
				continue;
			}
			int high = (i + 2 < text.length) ? Character.digit(text[i + 1], 16) : -1;
			int low = (i + 2 < text.length) ? Character.digit(text[i + 2], 16) : -1;
			if (high < 0 || low < 0) {
				throw new IllegalArgumentException(
						shown("message", value) + " (expected: two hexadecimal digits behind each percent sign)");
			}
			decoded.write(high << 4 | low);
			i += 2;
		}
		return decoded.toByteArray();
	}

	private static String shown(String name, String value) {
		return "query parameter %s: '%s'".formatted(PrintableText.of(name, MAX_QUOTED),
				PrintableText.of(value, MAX_QUOTED));
	}

}
