package io.rpcboot.serialization.fory;

import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * How several values stand in a row: their number, whether they are in reversed order,
 * and each of them.
 */
final class ForyElements {

	private ForyElements() {
	}

	static void start(ForyOutput out, int size, boolean reversed) {
		out.enter();
		out.size(size);
		out.buffer.writeByte(reversed ? 1 : 0);
	}

	static void write(ForyOutput out, ForyType type, @Nullable Object value, int index) {
		try {
			type.writeNullable(out, value);
		}
		catch (RuntimeException ex) {
			throw ForyFailure.at("[" + index + "]", ex);
		}
	}

	static @Nullable Object read(ForyInput in, ForyType type, int index) {
		try {
			return type.readNullable(in);
		}
		catch (RuntimeException ex) {
			throw ForyFailure.at("[" + index + "]", ex);
		}
	}

	/** Read values and hand over each. */
	static void read(ForyInput in, int size, ForyType type, Consumer<@Nullable Object> target) {
		for (int i = 0; i < size; i++) {
			target.accept(read(in, type, i));
		}
	}

}
