package io.rpcboot.serialization.protostuff;

import io.rpcboot.serialization.MethodCodec;

import org.jspecify.annotations.Nullable;

/**
 * Reads messages of which all bytes are in one array as those of which a value is apart.
 */
abstract class WholeMessages implements MethodCodec {

	@Override
	public final @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return deserializeArguments(source, offset, length, null);
	}

	@Override
	public final @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return deserializeResult(source, offset, length, null);
	}

}
