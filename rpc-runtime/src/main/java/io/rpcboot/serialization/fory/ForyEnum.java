package io.rpcboot.serialization.fory;

import java.util.List;

import io.rpcboot.serialization.protostuff.TypeLinker.Constant;

import org.jspecify.annotations.Nullable;

/**
 * An enum, by the ordinals of the writer.
 */
final class ForyEnum extends ForyType {

	private final List<Constant> constants;

	ForyEnum(Class<?> type, List<Constant> constants) {
		super(type);
		this.constants = List.copyOf(constants);
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireInstance(javaType(), value);
		out.buffer.writeVarUInt32(((Enum<?>) value).ordinal());
	}

	@Override
	@Nullable Object read(ForyInput in) {
		return this.constants.get(in.index(this.constants.size(), "constant number")).value();
	}

}
