package io.rpcboot.serialization.types;

import java.lang.invoke.MethodHandle;

import io.rpcboot.serialization.contract.ContractMember;

/**
 * A field of a class, with handles whose types are exact but for the class itself: a
 * reference may be any object.
 *
 * @param index in the class
 * @param member in the contract
 * @param rawType the declared class
 * @param getter {@code (Object)rawType}
 * @param setter {@code (Object, rawType)void}; does nothing to a final field
 */
public record StructField(int index, ContractMember member, Class<?> rawType, MethodHandle getter,
		MethodHandle setter) {
}
