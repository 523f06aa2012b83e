package io.rpcboot.serialization.jackson;

import java.util.Objects;

import io.rpcboot.serialization.types.PathException;
import io.rpcboot.serialization.types.SimpleForm;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * A class of the JDK that stands as a simpler value.
 */
final class JsonForm extends JsonType {

	/** More than an instance takes without its bytes or its text. */
	private static final int SIZE = 160;

	private final SimpleForm form;

	private final JsonType basis;

	JsonForm(SimpleForm form, JsonType basis) {
		super(form.javaType());
		this.form = form;
		this.basis = basis;
	}

	private Object simple(Object value) {
		if (!javaType().isInstance(value)) {
			throw new PathException("%s (expected: %s)".formatted(value.getClass().getName(), javaType().getName()));
		}
		return this.form.write(value);
	}

	@Override
	void write(JsonGenerator out, Object value) {
		this.basis.write(out, simple(value));
	}

	@Override
	Object read(JsonInput in) {
		return form(in, this.basis.read(in));
	}

	private Object form(JsonInput in, @Nullable Object simple) {
		in.budget().charge(SIZE);
		return this.form.read(Objects.requireNonNull(simple), in.budget());
	}

	@Override
	@Nullable String name(Object value) {
		return this.basis.name(simple(value));
	}

	@Override
	Object ofName(JsonInput in, String name) {
		return form(in, this.basis.ofName(in, name));
	}

}
