package io.rpcboot.internal.serialization.protostuff.scalar;

import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffInput;
import io.rpcboot.internal.serialization.protostuff.wire.ProtostuffOutput;
import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import org.jspecify.annotations.Nullable;

/**
 * A class as a simpler value, or as the surrogate that a delegate makes of it.
 */
public final class SurrogateType extends ValueType {

	/** Three objects. What takes more is charged where it is read. */
	private static final int WEIGHT = 72;

	private final ScalarSurrogate form;

	private final ValueType basis;

	public SurrogateType(ScalarSurrogate form, ValueType basis) {
		super(basis.wireType(), (basis instanceof ScalarType) ? ReadBudget.BOX : WEIGHT + basis.weight());
		this.form = form;
		this.basis = basis;
	}

	@Override
	public void write(ProtostuffOutput out, int number, Object value) {
		this.basis.write(out, number, this.form.write(value));
	}

	@Override
	public @Nullable Object read(ProtostuffInput in) {
		Object simple = this.basis.read(in);
		return (simple != null) ? this.form.read(simple, in) : null;
	}

}
