package io.rpcboot.serialization.jackson;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.rpcboot.RpcEnumDefault;
import io.rpcboot.serialization.types.EnumNode;
import io.rpcboot.serialization.types.Exact;
import io.rpcboot.serialization.types.PathException;
import io.rpcboot.serialization.types.ReadBudget;
import io.rpcboot.serialization.types.SimpleForm;

import org.jspecify.annotations.Nullable;

/**
 * A type whose values stand as simpler ones, such as a date as its text.
 *
 * @param javaType the declared class
 * @param basis of the simpler values
 * @param size what a value takes, in bytes, besides the simpler one
 * @param writer gives the simpler value
 * @param reader makes a value of it
 */
record JsonForm(Class<?> javaType, JsonType basis, int size, Function<Object, Object> writer,
		BiFunction<Object, ReadBudget, @Nullable Object> reader) implements JsonType {

	/** More than an instance of a form takes without its bytes or its text. */
	private static final int SIZE = 160;

	/** A class of the JDK that has a form. */
	static JsonForm of(SimpleForm form, JsonType basis) {
		Class<?> type = form.javaType();
		return new JsonForm(type, basis, SIZE, (value) -> form.write(JsonType.requireInstance(value, type)),
				form::read);
	}

	/**
	 * A class whose text says all.
	 * @param size what a value takes besides its text, in bytes
	 */
	static <T> JsonForm text(Class<T> type, int size, Function<T, String> toText, Function<String, T> ofText) {
		return new JsonForm(type, JsonValue.TEXT, size, (value) -> toText.apply(type.cast(Exact.require(value, type))),
				(text, budget) -> ofText.apply((String) text));
	}

	/**
	 * An enum, by the names of its constants. One that only the writer has is the
	 * {@link RpcEnumDefault} constant, else null.
	 */
	static JsonForm of(EnumNode node) {
		Map<Object, @Nullable Enum<?>> constants = new HashMap<>();
		node.constants().forEach((each) -> constants.put(each.written().name(), each.value()));
		return new JsonForm(node.javaType(), JsonValue.TEXT, 0, (value) -> ((Enum<?>) value).name(), (name, budget) -> {
			if (!constants.containsKey(name)) {
				throw new PathException("no constant of %s (expected: one of %s)".formatted(node.javaType().getName(),
						constants.keySet()));
			}
			return constants.get(name);
		});
	}

	@Override
	public void write(JsonOutput out, Object value) {
		this.basis.write(out, this.writer.apply(value));
	}

	@Override
	public @Nullable Object read(JsonInput in) {
		return form(in, this.basis.read(in));
	}

	private @Nullable Object form(JsonInput in, @Nullable Object simple) {
		in.budget().charge(this.size);
		return (simple != null) ? this.reader.apply(simple, in.budget()) : null;
	}

	@Override
	public @Nullable String name(Object value) {
		return this.basis.name(this.writer.apply(value));
	}

	@Override
	public @Nullable Object ofName(JsonInput in, String name) {
		return form(in, this.basis.ofName(in, name));
	}

}
