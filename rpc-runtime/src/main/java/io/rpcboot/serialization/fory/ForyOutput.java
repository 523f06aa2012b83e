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

	private static final int MOST_GATHERED = 32 * 1024;

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
		passOn();
	}

	void string(String text) {
		this.target.require(this.buffer.writerIndex() + text.length());
		this.engine.writeContext().writeString(text);
		passOn();
	}

	void size(int size) {
		this.buffer.writeVarUInt32(size);
		passOn();
	}

	/** Make sure that the limit allows what was written, and pass it on if it is much. */
	void passOn() {
		int length = this.buffer.writerIndex();
		this.target.require(length);
		if (length > MOST_GATHERED) {
			finish();
		}
	}

	/** Pass on what was written. */
	void finish() {
		this.target.write(this.buffer.getHeapMemory(), 0, this.buffer.writerIndex());
		this.buffer.writerIndex(0);
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
