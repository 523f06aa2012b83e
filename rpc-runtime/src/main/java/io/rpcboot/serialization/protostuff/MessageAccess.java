package io.rpcboot.serialization.protostuff;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import io.protostuff.WireFormat;

import org.jspecify.annotations.Nullable;

/**
 * The message of an exception as a field.
 */
final class MessageAccess {

	static final int NUMBER = 1;

	private MessageAccess() {
	}

	/** A getter of type {@code (Object)Object}. */
	static MethodHandle getter() {
		try {
			return ServiceClass.generic(MethodHandles.publicLookup()
				.findVirtual(Throwable.class, "getMessage", MethodType.methodType(String.class)));
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static void write(ProtostuffOutput out, Object exception) {
		String message = ((Throwable) exception).getMessage();
		if (message != null) {
			Text.write(out, NUMBER, message);
		}
	}

	static @Nullable Object take(ProtostuffInput in) {
		return in.tryTag(WireFormat.makeTag(NUMBER, WireFormat.WIRETYPE_LENGTH_DELIMITED)) ? Text.read(in) : null;
	}

}
