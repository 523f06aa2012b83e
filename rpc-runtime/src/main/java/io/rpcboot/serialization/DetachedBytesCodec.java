package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * A codec that takes a {@link DetachedBytes}: it reads messages of which all bytes are in
 * one array as those without such a value.
 */
public abstract class DetachedBytesCodec implements MethodCodec {

	@Override
	public final @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return deserializeArguments(source, offset, length, null);
	}

	@Override
	public abstract @Nullable Object[] deserializeArguments(byte[] source, int offset, int length,
			@Nullable DetachedBytes value);

	@Override
	public final @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return deserializeResult(source, offset, length, null);
	}

	@Override
	public abstract @Nullable Object deserializeResult(byte[] source, int offset, int length,
			@Nullable DetachedBytes value);

}
