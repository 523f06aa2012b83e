package io.rpcboot.internal.serialization.types.kind;

import java.lang.invoke.MethodHandle;

import io.rpcboot.serialization.contract.ContractMember;

/**
 * A field of a class. Its handles have exact types but for the class itself: a reference
 * may be any object. They cost more than all else that is known of a field, and most
 * types are never carried by most processes: ask for them when the first message needs
 * them. Thread-safe.
 *
 * @param index in the class
 * @param member in the contract
 * @param rawType the declared class
 * @param isFilled whether it is final and keeps the collection or map that a constructor
 * made, into which the setter puts what arrives
 * @param access makes the handles
 */
public record StructField(int index, ContractMember member, Class<?> rawType, boolean isFilled, Access access) {

	/**
	 * What reads the field.
	 * @return a new handle of type {@code (Object)rawType}
	 */
	public MethodHandle getter() {
		return this.access.getter();
	}

	/**
	 * What sets the field.
	 * @return a new handle of type {@code (Object, rawType)void}; does nothing to a final
	 * field that is not filled
	 */
	public MethodHandle setter() {
		return this.access.setter();
	}

	/** Makes the handles of a field. */
	public interface Access {

		/** See {@link StructField#getter()}. */
		MethodHandle getter();

		/** See {@link StructField#setter()}. */
		MethodHandle setter();

	}

}
