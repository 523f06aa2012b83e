package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * The message of an exception, which a constructor takes and nothing sets afterwards.
 */
final class MessageField extends Field {

	static final int NUMBER = 1;

	MessageField(String name) {
		super(NUMBER, name, "java.lang.String");
	}

	@Override
	void write(ProtostuffOutput out, Object instance) {
		String message = ((Throwable) instance).getMessage();
		if (message != null) {
			out.writeString(NUMBER, message, false);
		}
	}

	@Override
	void read(ProtostuffInput in, int tag, Object instance) {
		throw new IllegalStateException("an exception is made by a constructor");
	}

	@Override
	Object readValue(ProtostuffInput in, int tag) {
		ValueType.requireWireType(tag, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		return in.readString();
	}

	@Override
	void set(Object instance, @Nullable Object value) {
		// an exception whose constructors take no message makes its own
	}

	@Override
	void clear(Object instance) {
		throw new IllegalStateException("an exception is made by a constructor");
	}

	@Override
	@Nullable Object zero() {
		return null;
	}

}
