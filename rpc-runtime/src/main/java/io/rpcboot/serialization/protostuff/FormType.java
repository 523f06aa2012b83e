package io.rpcboot.serialization.protostuff;

import io.rpcboot.internal.serialization.types.value.ReadBudget;
import io.rpcboot.internal.serialization.types.value.SimpleForm;
import org.jspecify.annotations.Nullable;

/**
 * A class as a simpler value, or as the surrogate that a delegate makes of it.
 */
final class FormType extends ValueType {

	/** Three objects. What takes more is charged where it is read. */
	private static final int WEIGHT = 72;

	private final SimpleForm form;

	private final ValueType basis;

	FormType(SimpleForm form, ValueType basis) {
		super(basis.wireType(), (basis instanceof ScalarType) ? ReadBudget.BOX : WEIGHT + basis.weight());
		this.form = form;
		this.basis = basis;
	}

	@Override
	void write(ProtostuffOutput out, int number, Object value) {
		this.basis.write(out, number, this.form.write(value));
	}

	@Override
	@Nullable Object read(ProtostuffInput in) {
		Object simple = this.basis.read(in);
		return (simple != null) ? this.form.read(simple, in) : null;
	}

}
