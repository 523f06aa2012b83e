package io.rpcboot.serialization.fory;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * Reads past what only the writer has, as its contract lays it out.
 */
final class ForySkip extends ForyType {

	private final List<ForyType> parts = new ArrayList<>();

	private Function<ForyInput, @Nullable Object> reader = (in) -> null;

	ForySkip() {
		super(Void.class);
	}

	/** One after the other. */
	void link(List<ForyType> parts, Function<List<ForyType>, Function<ForyInput, @Nullable Object>> reader) {
		this.parts.addAll(parts);
		this.reader = reader.apply(this.parts);
	}

	/** The fields of a class; gives the first, which is the message of an exception. */
	static Function<ForyInput, @Nullable Object> fields(List<ForyType> fields) {
		return (in) -> {
			Object first = null;
			for (int i = 0; i < fields.size(); i++) {
				Object value = fields.get(i).readNullable(in);
				first = (i == 0) ? value : first;
			}
			return first;
		};
	}

	/** One of several types. */
	static Function<ForyInput, @Nullable Object> choice(List<ForyType> types) {
		return (in) -> types.get(in.index(types.size(), "type number")).read(in);
	}

	/** As many as are said, of each type in turn. */
	static Function<ForyInput, @Nullable Object> elements(List<ForyType> types) {
		return (in) -> {
			int size = in.size();
			in.flag();
			for (int i = 0; i < size; i++) {
				types.forEach((each) -> each.readNullable(in));
			}
			return null;
		};
	}

	/** The number of a constant. */
	static Function<ForyInput, @Nullable Object> constant(int count) {
		return (in) -> {
			in.index(count, "constant number");
			return null;
		};
	}

	@Override
	void write(ForyOutput out, Object value) {
		throw new IllegalStateException("nothing writes what only another writer has");
	}

	@Override
	@Nullable Object read(ForyInput in) {
		in.enter();
		Object value = this.reader.apply(in);
		in.leave();
		return value;
	}

}
