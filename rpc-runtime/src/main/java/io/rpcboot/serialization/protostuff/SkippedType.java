package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import io.rpcboot.serialization.contract.TypeRef;

import org.jspecify.annotations.Nullable;

/**
 * A result that a method of the other side returns and the own one does not: read away,
 * whatever it is.
 */
final class SkippedType extends ValueType {

	SkippedType() {
		super(WireFormat.WIRETYPE_VARINT);
	}

	@Override
	@Nullable Object takeField(ProtostuffInput in, int number) {
		Skip.fields(in, number, number);
		return null;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		throw new IllegalStateException("a skipped type only reads");
	}

	@Override
	Object read(ProtostuffInput in) {
		throw new IllegalStateException("a skipped type is no element");
	}

	@Override
	TypeRef ref() {
		return TypeRef.VOID;
	}

}
