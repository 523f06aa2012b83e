package io.rpcboot.serialization.types;

import java.lang.invoke.MethodHandle;

import io.rpcboot.serialization.contract.ContractMember;

/**
 * A field of a class. Its handles have exact types but for the class itself: a reference
 * may be any object. They cost more than all else that is known of a field, and most
 * types are never carried by most processes: ask for them when the first message needs
 * them.
 *
 * @param index in the class
 * @param member in the contract
 * @param rawType the declared class
 * @param access makes its handles
 */
public record StructField(int index, ContractMember member, Class<?> rawType, Access access) {

	/**
	 * Make what reads the field.
	 * @return a new handle of type {@code (Object)rawType}
	 */
	public MethodHandle getter() {
		return this.access.getter();
	}

	/**
	 * Make what sets the field.
	 * @return a new handle of type {@code (Object, rawType)void}; does nothing to a final
	 * field
	 */
	public MethodHandle setter() {
		return this.access.setter();
	}

	/**
	 * Makes the handles of a field, new ones with each call. Thread-safe.
	 */
	interface Access {

		MethodHandle getter();

		MethodHandle setter();

	}

}
