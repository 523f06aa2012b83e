package io.rpcboot.serialization.jackson;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.util.JsonGeneratorDelegate;

import io.rpcboot.serialization.types.Format;
import io.rpcboot.serialization.types.PathException;

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

}
