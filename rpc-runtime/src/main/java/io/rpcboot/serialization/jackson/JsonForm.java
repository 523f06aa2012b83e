package io.rpcboot.serialization.jackson;

import java.util.Objects;

import io.rpcboot.serialization.protostuff.ValueForm;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A class of the JDK that stands as a simpler value.
 */
final class JsonForm extends JsonType {

	private final ValueForm form;

	private final JsonType basis;

	JsonForm(ValueForm form, JsonType basis) {
		super(form.javaType());
		this.form = form;
		this.basis = basis;
	}

	private Object simple(Object value) {
		if (!javaType().isInstance(value)) {
			throw new JsonFailure("%s (expected: %s)".formatted(value.getClass().getName(), javaType().getName()));
		}
		return Objects.requireNonNull(this.form.write(value));
	}

	@Override
	void write(JsonGenerator out, Object value) {
		this.basis.write(out, simple(value));
	}

	@Override
	Object read(JsonInput in) {
		return this.form.read(this.basis.read(in), in.budget());
	}

	@Override
	@Nullable String name(Object value) {
		return this.basis.name(simple(value));
	}

	@Override
	Object ofName(JsonInput in, String name) {
		return this.form.read(this.basis.ofName(in, name), in.budget());
	}

}
