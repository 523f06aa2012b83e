package io.rpcboot.serialization;

import org.jspecify.annotations.Nullable;

/**
 * Base class of codecs that read {@link DetachedBytes} without a copy. A message in one
 * array is read as one without a detached value.
 *
 * @since 0.1.0
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
