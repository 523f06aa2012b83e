package io.rpcboot.serialization.fory;

import java.util.function.Function;

/**
 * A string, or a value that is carried as its text because Fory would write the name of
 * its class.
 */
final class ForyText<T> extends ForyType {

	private final Class<T> type;

	private final Function<T, String> toText;

	private final Function<String, T> ofText;

	ForyText(Class<T> type, Function<T, String> toText, Function<String, T> ofText) {
		super(type);
		this.type = type;
		this.toText = toText;
		this.ofText = ofText;
	}

	@Override
	void write(ForyOutput out, Object value) {
		requireInstance(this.type, value);
		out.string(this.toText.apply(this.type.cast(value)));
	}

	@Override
	Object read(ForyInput in) {
		return this.ofText.apply(in.string());
	}

}
