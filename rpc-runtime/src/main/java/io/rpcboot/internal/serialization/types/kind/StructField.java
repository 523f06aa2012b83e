package io.rpcboot.internal.serialization.types.kind;

import java.lang.invoke.MethodHandle;

import io.rpcboot.serialization.contract.ContractMember;

/**
 * Field of a class. Its handles have exact types, except that the instance is an
 * {@code Object}. Handles are created when the first message needs them, because they are
 * expensive and most processes carry few of their types. Thread-safe.
 *
 * @param index index in the class
 * @param member field in the contract
 * @param rawType declared class
 * @param isFilled true if the field is final and keeps the collection or map of the
 * constructor; the setter replaces its content
 * @param access creates the handles
 */
public record StructField(int index, ContractMember member, Class<?> rawType, boolean isFilled, Access access) {

	/**
	 * Creates a handle that reads the field.
	 * @return a new handle of type {@code (Object)rawType}
	 */
	public MethodHandle getter() {
		return this.access.getter();
	}

	/**
	 * Creates a handle that sets the field.
	 * @return a new handle of type {@code (Object, rawType)void}; does nothing to a final
	 * field that is not filled
	 */
	public MethodHandle setter() {
		return this.access.setter();
	}

	/** Creates the handles of a field. */
	public interface Access {

		/** Creates a handle, see {@link StructField#getter()}. */
		MethodHandle getter();

		/** Creates a handle, see {@link StructField#setter()}. */
		MethodHandle setter();

	}

}
