package io.rpcboot.serialization.fory;

/**
 * A string.
 */
final class ForyText extends ForyType {

	ForyText() {
		super(String.class);
	}

	@Override
	void write(ForyOutput out, Object value) {
		out.string((String) value);
	}

	@Override
	Object read(ForyInput in) {
		return in.string();
	}

}
