package io.rpcboot.serialization.jackson;

import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.JsonGeneratorDelegate;

/**
 * What one message is written to. For one thread.
 */
final class JsonOutput extends JsonGeneratorDelegate {

	private int depth;

	JsonOutput(JsonGenerator generator) {
		super(generator);
	}

	/** Enter a level of nesting. A failure within ends the message. */
	void enter() {
		if (++this.depth > Format.MAX_DEPTH) {
			throw PathException.tooDeep(Format.MAX_DEPTH);
		}
	}

	void leave() {
		this.depth--;
	}

	/**
	 * Write a text of any content. UTF-8 has no bytes for half of a surrogate pair, so
	 * one that stands alone is escaped.
	 */
	void writeText(String text) {
		if (isWellFormed(text)) {
			writeString(text);
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
		writeRawValue(escaped.append('"').toString());
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
