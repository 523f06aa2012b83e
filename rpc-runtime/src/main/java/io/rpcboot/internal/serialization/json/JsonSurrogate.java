package io.rpcboot.internal.serialization.json;

import java.util.LinkedHashMap;
import java.util.Map;

import io.rpcboot.RpcEnumDefault;
import io.rpcboot.internal.serialization.types.graph.EnumNode;
import io.rpcboot.internal.serialization.types.value.ScalarSurrogate;
import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Type whose values are written as simpler ones, such as a date as its text.
 *
 * @param conversion conversion between values and simpler ones
 * @param basis type of the simpler values
 * @param size heap size of a value without the simpler one, in bytes
 */
record JsonSurrogate(ScalarSurrogate conversion, JsonType basis, int size) implements JsonType {

	/** Upper bound of {@link #size}, in bytes. */
	static final int SIZE = 160;

	/**
	 * Creates the type of an enum, written as the name of the constant. A constant that
	 * only the writer has becomes the {@link RpcEnumDefault} constant, else null.
	 */
	static JsonSurrogate of(EnumNode node) {
		Map<Object, @Nullable Enum<?>> constants = new LinkedHashMap<>();
		node.constants().forEach((each) -> constants.put(each.written().name(), each.value()));
		return new JsonSurrogate(new ScalarSurrogate(node.javaType(), String.class, (value) -> ((Enum<?>) value).name(),
				(name, budget) -> {
					if (!constants.containsKey(name)) {
						throw new PathException("no constant of %s (expected: one of [%s])"
							.formatted(node.javaType().getName(), PathException.some(constants.keySet().stream())));
					}
					return constants.get(name);
				}), JsonValue.TEXT, 0);
	}

	@Override
	public void write(JsonOutput out, Object value) {
		this.basis.write(out, simple(value));
	}

	@Override
	public @Nullable Object read(JsonInput in) {
		return convert(in, this.basis.read(in));
	}

	private Object simple(Object value) {
		return this.conversion.write(JsonType.requireInstance(value, this.conversion.javaType()));
	}

	private @Nullable Object convert(JsonInput in, @Nullable Object simple) {
		in.budget().charge(this.size);
		return (simple != null) ? this.conversion.read(simple, in.budget()) : null;
	}

	@Override
	public boolean hasNames() {
		return this.basis.hasNames();
	}

	@Override
	public @Nullable String name(Object value) {
		return this.basis.name(simple(value));
	}

	@Override
	public @Nullable Object ofName(JsonInput in, String name) {
		return convert(in, this.basis.ofName(in, name));
	}

}
