package io.rpcboot.internal.serialization.json;

import io.rpcboot.internal.serialization.types.Format;
import io.rpcboot.serialization.PathException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.JsonGeneratorDelegate;

/**
 * Generator of one message. For one thread.
 */
public final class JsonOutput extends JsonGeneratorDelegate {

	private int depth;

	JsonOutput(JsonGenerator generator) {
		super(generator);
	}

	/** Enters a level of nesting. {@link #leave} leaves it, unless the message fails. */
	void enter() {
		if (++this.depth > Format.MAX_DEPTH) {
			throw PathException.tooDeep(Format.MAX_DEPTH);
		}
	}

	void leave() {
		this.depth--;
	}

	/**
	 * Writes a text of any content. A lone surrogate is escaped, because it has no bytes
	 * in UTF-8.
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
