package io.rpcboot.serialization.fory;

import java.util.Objects;

import io.rpcboot.serialization.protostuff.ValueForm;

/**
 * A class of the JDK that stands as a simpler value, because Fory would write a class for
 * it or lose a part.
 */
final class ForyForm extends ForyType {

	private final ValueForm form;

	private final ForyType basis;

	ForyForm(ValueForm form, ForyType basis) {
		super(form.javaType());
		this.form = form;
		this.basis = basis;
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireInstance(javaType(), value);
		this.basis.write(out, Objects.requireNonNull(this.form.write(value)));
	}

	@Override
	Object read(ForyInput in) {
		return this.form.read(this.basis.read(in), in.budget);
	}

}
