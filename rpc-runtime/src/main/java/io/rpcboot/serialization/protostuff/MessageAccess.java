package io.rpcboot.serialization.protostuff;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * The message of an exception as a field.
 */
final class MessageAccess {

	static final int NUMBER = 1;

	private MessageAccess() {
	}

	static void write(ProtostuffOutput out, Object exception) {
		String message = ((Throwable) exception).getMessage();
		if (message != null) {
			out.writeString(NUMBER, message);
		}
	}

	static @Nullable Object take(ProtostuffInput in) {
		return in.tryTag(WireFormat.makeTag(NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED)) ? in.readString() : null;
	}

}
