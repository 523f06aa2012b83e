package io.rpcboot.serialization.fory;

import io.rpcboot.serialization.OutputBuffer;

import org.apache.fory.context.WriteContext;
import org.apache.fory.memory.MemoryBuffer;

/**
 * What one message is written to. For one thread at a time.
 */
final class ForyOutput {

	/** A list of beans is two levels, so 64 levels of them are carried. */
	static final int MAX_DEPTH = 130;

	final MemoryBuffer buffer;

	private final ForyEngine engine;

	private final OutputBuffer target;

	private int depth;

	ForyOutput(ForyEngine engine, MemoryBuffer buffer, OutputBuffer target) {
		this.engine = engine;
		this.buffer = buffer;
		this.target = target;
	}

	/** Write a value by Fory's serializer for its class. */
	void value(int index, Object value) {
		WriteContext context = this.engine.writeContext();
		this.engine.serializer(index).write(context, value);
		checkLimit();
	}

	void string(String text) {
		reserve(this.buffer.writerIndex() + text.length());
		this.engine.writeContext().writeString(text);
		checkLimit();
	}

	void size(int size) {
		this.buffer.writeVarUInt32(size);
		checkLimit();
	}

	/** Make sure that the engine's buffer takes what was written. */
	void checkLimit() {
		reserve(this.buffer.writerIndex());
	}

	private void reserve(int length) {
		this.target.require(length);
	}

	void enter() {
		if (++this.depth > MAX_DEPTH) {
			throw new ForyFailure("more than %d levels (expected: no cycle)".formatted(MAX_DEPTH));
		}
	}

	void leave() {
		this.depth--;
	}

}
