package io.rpcboot.internal.serialization.json;

import io.rpcboot.serialization.PathException;
import org.jspecify.annotations.Nullable;

/**
 * Type whose values are a level of nesting, see {@code Format.MAX_DEPTH}.
 */
record JsonLevel(JsonType type) implements JsonType {

	@Override
	public void write(JsonOutput out, Object value) {
		try {
			out.enter();
			this.type.write(out, value);
			out.leave();
		}
		catch (RuntimeException ex) {
			throw PathException.through(value, ex);
		}
	}

	/** Does not add the value to a path of a cycle, because the choice has added it. */
	@Override
	public void writeChosen(JsonOutput out, Object value) {
		out.enter();
		this.type.writeChosen(out, value);
		out.leave();
	}

	@Override
	public @Nullable Object read(JsonInput in) {
		in.enter();
		Object value = this.type.read(in);
		in.leave();
		return value;
	}

	@Override
	public @Nullable Object readChosen(JsonInput in) {
		in.enter();
		Object value = this.type.readChosen(in);
		in.leave();
		return value;
	}

	@Override
	public boolean hasNames() {
		return this.type.hasNames();
	}

	@Override
	public @Nullable String name(Object value) {
		return this.type.name(value);
	}

	@Override
	public @Nullable Object ofName(JsonInput in, String name) {
		return this.type.ofName(in, name);
	}

}
