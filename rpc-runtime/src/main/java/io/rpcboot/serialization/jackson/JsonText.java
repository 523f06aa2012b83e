package io.rpcboot.serialization.jackson;

import tools.jackson.core.JsonGenerator;

/**
 * Strings of any content. UTF-8 has no bytes for half of a surrogate pair, so one that
 * stands alone is escaped.
 */
final class JsonText {

	private JsonText() {
	}

	static void write(JsonGenerator out, String text) {
		if (isWellFormed(text)) {
			out.writeString(text);
			return;
		}
		StringBuilder escaped = new StringBuilder(text.length() * 2).append('"');
		for (int i = 0; i < text.length(); i++) {
			char c = text.charAt(i);
			if (c < ' ' || c == '"' || c == '\\' || Character.isSurrogate(c)) {
				escaped.append("\\u%04x".formatted((int) c));
			}
			else {
				escaped.append(c);
			}
		}
		out.writeRawValue(escaped.append('"').toString());
	}

	static boolean isWellFormed(String text) {
		for (int i = 0; i < text.length(); i++) {
			if (Character.isSurrogate(text.charAt(i))) {
				if (!Character.isHighSurrogate(text.charAt(i)) || i + 1 == text.length()
						|| !Character.isLowSurrogate(text.charAt(i + 1))) {
					return false;
				}
				i++;
			}
		}
		return true;
	}

}
