package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * An enum, as the ordinal at the writer. The contract lists the constants in their order;
 * a reader with another contract finds the writer's constant by its name.
 */
final class EnumType extends ValueType {

	private final Class<?> type;

	/** By the writer's ordinal. */
	private final @Nullable Enum<?>[] constants;

	EnumType(EnumNode node) {
		super(WireFormat.WIRETYPE_VARINT, 0);
		this.type = node.javaType();
		this.constants = node.constants().stream().map(EnumNode.Constant::value).toArray(Enum<?>[]::new);
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		out.writeInt32(number, ((Enum<?>) this.type.cast(value)).ordinal());
	}

	@Override
	@Nullable Object read(ProtostuffInput in) {
		int ordinal = in.readInt32();
		if (ordinal < 0 || ordinal >= this.constants.length) {
			throw new PathException("constant number %d of %s (expected: 0 to %d)".formatted(ordinal,
					this.type.getName(), this.constants.length - 1));
		}
		return this.constants[ordinal];
	}

}
