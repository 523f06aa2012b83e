package io.rpcboot.internal.serialization.protobuf.scalar;

import java.lang.reflect.Array;

import io.rpcboot.internal.serialization.protobuf.wire.ProtobufInput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;

/**
 * Primitive array of which several parts arrive. It at least doubles when it grows, so
 * that all copies together take time in proportion to its length.
 */
final class ArrayParts {

	private final int unit;

	/** Array that is longer than its content. */
	private Object array;

	private int length;

	/**
	 * Creates an array from its first part.
	 * @param first array with the first part only
	 * @param unit heap size of an element, in bytes
	 */
	ArrayParts(Object first, int unit) {
		this.array = first;
		this.length = Array.getLength(first);
		this.unit = unit;
	}

	/** Creates an array of some length, which is charged. */
	static Object create(ProtobufInput in, Class<?> component, int length, int unit) {
		in.charge(ReadBudget.OBJECT + (long) unit * length);
		return Array.newInstance(component, length);
	}

	/**
	 * Extends the content.
	 * @return the array, to be filled from the length before to the new one
	 */
	Object extend(ProtobufInput in, int more) {
		int needed = Math.addExact(this.length, more);
		int capacity = Array.getLength(this.array);
		if (needed > capacity) {
			copy(in, Math.max(needed, 2 * capacity));
		}
		this.length = needed;
		return this.array;
	}

	int length() {
		return this.length;
	}

	/** Returns an array of exactly the content. */
	Object whole(ProtobufInput in) {
		if (this.length < Array.getLength(this.array)) {
			copy(in, this.length);
		}
		return this.array;
	}

	private void copy(ProtobufInput in, int capacity) {
		Object before = this.array;
		this.array = create(in, before.getClass().getComponentType(), capacity, this.unit);
		System.arraycopy(before, 0, this.array, 0, this.length);
	}

}
