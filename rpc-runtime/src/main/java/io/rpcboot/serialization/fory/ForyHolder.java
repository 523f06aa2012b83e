package io.rpcboot.serialization.fory;

import java.util.function.BiFunction;
import java.util.function.Function;

import io.rpcboot.serialization.protostuff.ReadBudget;

import org.jspecify.annotations.Nullable;

/**
 * An object that holds one value or none, such as {@code Optional}.
 */
final class ForyHolder extends ForyType {

	private final ForyType held;

	private final Function<Object, @Nullable Object> getter;

	private final BiFunction<@Nullable Object, ReadBudget, Object> maker;

	/**
	 * Create a type.
	 * @param getter gives null for none
	 * @param maker takes null for none
	 */
	ForyHolder(Class<?> type, ForyType held, Function<Object, @Nullable Object> getter,
			BiFunction<@Nullable Object, ReadBudget, Object> maker) {
		super(type);
		this.held = held;
		this.getter = getter;
		this.maker = maker;
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireExactly(javaType(), value);
		out.enter();
		this.held.writeNullable(out, this.getter.apply(value));
		out.leave();
	}

	@Override
	Object read(ForyInput in) {
		in.enter();
		Object content = this.held.readNullable(in);
		in.leave();
		return this.maker.apply(content, in.budget);
	}

}
