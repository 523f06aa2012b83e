package io.rpcboot.internal.serialization.protostuff.scalar;

import io.protostuff.WireFormat;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Enum, written as the ordinal of the writer. The contract lists the constants in their
 * order. A reader with another contract finds the writer's constant by its name.
 */
public final class EnumType extends ValueType {

	private final Class<?> type;

	/**
	 * Own constants by the writer's ordinal; null for a constant that only the writer
	 * has.
	 */
	private final @Nullable Enum<?>[] constants;

	public EnumType(EnumNode node) {
		super(WireFormat.WIRETYPE_VARINT, 0);
		this.type = node.javaType();
		this.constants = node.constants().stream().map(EnumNode.Constant::value).toArray(Enum<?>[]::new);
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		out.writeInt32(number, ((Enum<?>) this.type.cast(value)).ordinal());
	}

	@Override
	public @Nullable Object read(ProtostuffInput in) {
		int ordinal = in.readInt32();
		if (ordinal < 0 || ordinal >= this.constants.length) {
			throw new PathException("constant number %d of %s (expected: 0 to %d)".formatted(ordinal,
					this.type.getName(), this.constants.length - 1));
		}
		return this.constants[ordinal];
	}

}
