package io.rpcboot.internal.serialization.protostuff.scalar;

import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import org.jspecify.annotations.Nullable;

/**
 * Class that is written as a simpler value, such as the surrogate of a delegate.
 */
public final class SurrogateType extends ValueType {

	/**
	 * Heap size of an instance, in bytes: three objects. Larger instances are charged by
	 * their readers.
	 */
	private static final int WEIGHT = 72;

	private final ScalarSurrogate conversion;

	private final ValueType basis;

	public SurrogateType(ScalarSurrogate conversion, ValueType basis) {
		super(basis.wireType(), (basis instanceof ScalarType) ? ReadBudget.BOX : WEIGHT + basis.weight());
		this.conversion = conversion;
		this.basis = basis;
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		this.basis.write(out, number, this.conversion.write(value));
	}

	@Override
	public @Nullable Object read(ProtostuffInput in) {
		Object simple = this.basis.read(in);
		return (simple != null) ? this.conversion.read(simple, in) : null;
	}

}
