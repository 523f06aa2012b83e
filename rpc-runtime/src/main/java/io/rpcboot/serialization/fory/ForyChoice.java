package io.rpcboot.serialization.fory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.rpcboot.serialization.protostuff.TypeLinker.Option;

import org.jspecify.annotations.Nullable;

/**
 * One of the types that the contract lists: its place in the writer's list and the value.
 */
final class ForyChoice extends ForyType {

	private final Map<Class<?>, Integer> byClass = new HashMap<>();

	/** Values and containers, which carry subclasses too, the narrower kinds first. */
	private final List<Integer> kinds = new ArrayList<>();

	private List<Option<ForyType>> options = List.of();

	ForyChoice() {
		super(Object.class);
	}

	void link(List<Option<ForyType>> options) {
		this.options = List.copyOf(options);
		for (int i = 0; i < options.size(); i++) {
			Class<?> type = options.get(i).javaType();
			this.byClass.put(type, i);
			if (!(options.get(i).type() instanceof ForyStruct)) {
				int at = 0;
				while (at < this.kinds.size() && !options.get(this.kinds.get(at)).javaType().isAssignableFrom(type)) {
					at++;
				}
				this.kinds.add(at, i);
			}
		}
	}

	@Override
	void write(ForyOutput out, Object value) {
		int index = find(value);
		out.enter();
		out.buffer.writeVarUInt32(index);
		type(index).write(out, value);
		out.leave();
	}

	private int find(Object value) {
		Integer exact = this.byClass
			.get((value instanceof Enum<?> constant) ? constant.getDeclaringClass() : value.getClass());
		if (exact != null) {
			return exact;
		}
		for (int each : this.kinds) {
			if (this.options.get(each).javaType().isInstance(value)) {
				return each;
			}
		}
		throw new ForyFailure("%s (expected: one of %s)".formatted(value.getClass().getName(), names()));
	}

	@Override
	@Nullable Object read(ForyInput in) {
		in.enter();
		Object value = type(in.index(this.options.size(), "type number")).read(in);
		in.leave();
		return value;
	}

	private ForyType type(int index) {
		Option<ForyType> option = this.options.get(index);
		ForyType type = option.type();
		if (type == null) {
			throw new ForyFailure("%s, which only the other side has (expected: one of %s)"
				.formatted(option.written().type(), names()));
		}
		return type;
	}

	private List<String> names() {
		return this.options.stream()
			.filter((each) -> each.type() != null)
			.map((each) -> each.written().type().toString())
			.toList();
	}

}
