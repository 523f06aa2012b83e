package io.rpcboot.serialization.protostuff;

import java.util.Arrays;
import java.util.stream.Collectors;

import io.protostuff.WireFormat;

/**
 * An enum, as the ordinal at the writer. The contract lists the constants in their order,
 * so equal contracts mean equal ordinals.
 */
final class EnumType extends ValueType {

	private final Class<?> type;

	private final Enum<?>[] constants;

	EnumType(Class<?> type) {
		super(WireFormat.WIRETYPE_VARINT);
		this.type = type;
		this.constants = (Enum<?>[]) type.getEnumConstants();
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		out.writeInt32(number, ((Enum<?>) value).ordinal());
	}

	@Override
	Object read(ProtostuffInput in) {
		int ordinal = in.readInt32();
		if (ordinal < 0 || ordinal >= this.constants.length) {
			throw new PathException("constant number %d of %s (expected: 0 to %d)".formatted(ordinal,
					this.type.getName(), this.constants.length - 1));
		}
		return this.constants[ordinal];
	}

	@Override
	String contract() {
		return this.type.getName();
	}

	/** The line of the enum in the text of the contract. */
	String definition() {
		return Arrays.stream(this.constants)
			.map(Enum::name)
			.collect(Collectors.joining(" ", "enum " + contract() + " ", ""));
	}

}
