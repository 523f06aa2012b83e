package io.rpcboot.serialization.fory;

import io.rpcboot.serialization.protostuff.ReadBudget;

import org.apache.fory.memory.MemoryBuffer;

/**
 * What one message is read from. For one thread at a time.
 */
final class ForyInput {

	/** More than a value takes without its bytes. */
	private static final int VALUE = 96;

	final MemoryBuffer buffer;

	private final ForyEngine engine;

	final ReadBudget budget;

	private final int end;

	private int depth;

	ForyInput(ForyEngine engine, MemoryBuffer buffer, int length) {
		this.engine = engine;
		this.buffer = buffer;
		this.end = length;
		this.budget = new ReadBudget(length);
	}

	/** Read a value by Fory's serializer for its class. */
	Object value(int index) {
		int start = this.buffer.readerIndex();
		this.budget.charge(VALUE);
		Object value = this.engine.serializer(index).read(this.engine.readContext());
		this.budget.charge(2L * (this.buffer.readerIndex() - start));
		return value;
	}

	String string() {
		String text = this.engine.readContext().readString();
		this.budget.chargeText(text.length());
		return text;
	}

	/** Read a number of elements, each of which takes at least one byte. */
	int size() {
		int size = this.buffer.readVarUInt32();
		int remaining = this.end - this.buffer.readerIndex();
		if (size < 0 || size > remaining) {
			throw new ForyFailure("size %d (expected: at most the %d bytes that remain)"
				.formatted(Integer.toUnsignedLong(size), remaining));
		}
		return size;
	}

	/** Read a number below a bound. */
	int index(int bound, String what) {
		int index = this.buffer.readVarUInt32();
		if (index < 0 || index >= bound) {
			throw new ForyFailure(
					"%s %d (expected: 0 to %d)".formatted(what, Integer.toUnsignedLong(index), bound - 1));
		}
		return index;
	}

	/** Read a byte that is 0 or 1. */
	boolean flag() {
		byte flag = this.buffer.readByte();
		if (flag != 0 && flag != 1) {
			throw new ForyFailure("flag %d (expected: 0 or 1)".formatted(flag));
		}
		return flag == 1;
	}

	void requireEnd() {
		if (this.buffer.readerIndex() != this.end) {
			throw new ForyFailure(
					"%d bytes behind the value (expected: none)".formatted(this.end - this.buffer.readerIndex()));
		}
	}

	void enter() {
		if (++this.depth > ForyOutput.MAX_DEPTH) {
			throw new ForyFailure("more than %d levels".formatted(ForyOutput.MAX_DEPTH));
		}
	}

	void leave() {
		this.depth--;
	}

}
