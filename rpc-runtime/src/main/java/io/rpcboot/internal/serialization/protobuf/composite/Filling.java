package io.rpcboot.internal.serialization.protobuf.composite;

import io.rpcboot.internal.serialization.types.value.ReadBudget;

/**
 * Set or map that is being read, perhaps in several parts.
 *
 * @param <C> the container
 */
final class Filling<C> {

	/** Heap size of an instance, in bytes. */
	private static final int SIZE = 32;

	final C container;

	/** Number of elements or entries that were read. */
	int count;

	/** Size of them, in the unit of the read budget. */
	long size;

	Filling(C container, ReadBudget budget) {
		budget.note(SIZE);
		this.container = container;
	}

	/** Returns the state of a field as what it is. */
	@SuppressWarnings("unchecked")
	static <C> Filling<C> of(Object state) {
		return (Filling<C>) state;
	}

}
