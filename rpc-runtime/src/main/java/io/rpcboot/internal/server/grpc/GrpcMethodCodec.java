package io.rpcboot.internal.server.grpc;

import java.util.function.Supplier;

import io.rpcboot.internal.protocol.grpc.GzipMessages;
import io.rpcboot.serialization.MethodCodec;
import io.rpcboot.serialization.OutputBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Codec of a method over gRPC, compiled by its first call. Thread-safe.
 */
final class GrpcMethodCodec implements MethodCodec {

	private final Supplier<MethodCodec> compiler;

	private final @Nullable GzipMessages gzip;

	/** True to keep results in the array, to be compressed or encoded. */
	private final boolean keepsResults;

	/** Compiled codec; null before the first call. */
	private volatile @Nullable MethodCodec codec;

	/**
	 * Creates a codec.
	 * @param compiler returns the compiled codec
	 * @param gzip reads compressed arguments, null for others
	 * @param keepsResults true to keep results in one array
	 */
	GrpcMethodCodec(Supplier<MethodCodec> compiler, @Nullable GzipMessages gzip, boolean keepsResults) {
		this.compiler = compiler;
		this.gzip = gzip;
		this.keepsResults = keepsResults;
	}

	private MethodCodec codec() {
		MethodCodec known = this.codec;
		if (known == null) {
			known = this.compiler.get();
			this.codec = known;
		}
		return known;
	}

	@Override
	public void serializeArguments(@Nullable Object @Nullable [] arguments, OutputBuffer out) {
		codec().serializeArguments(arguments, out);
	}

	@Override
	public @Nullable Object[] deserializeArguments(byte[] source, int offset, int length) {
		return (this.gzip != null)
				? this.gzip.read(source, offset, length,
						(plain) -> codec().deserializeArguments(plain, 0, plain.length))
				: codec().deserializeArguments(source, offset, length);
	}

	@Override
	public void serializeElement(Object element, OutputBuffer out) {
		codec().serializeElement(element, out);
	}

	@Override
	public @Nullable Object deserializeElement(byte[] source, int offset, int length) {
		return (this.gzip != null)
				? this.gzip.read(source, offset, length, (plain) -> codec().deserializeElement(plain, 0, plain.length))
				: codec().deserializeElement(source, offset, length);
	}

	@Override
	public void serializeResult(@Nullable Object result, OutputBuffer out) {
		OutputBuffer.Overflow overflow = out.overflow();
		if (this.keepsResults) {
			out.overflow(null);
		}
		codec().serializeResult(result, out);
		out.overflow(overflow);
	}

	@Override
	public @Nullable Object deserializeResult(byte[] source, int offset, int length) {
		return codec().deserializeResult(source, offset, length);
	}

	@Override
	public boolean serializeException(Throwable thrown, OutputBuffer out) {
		return codec().serializeException(thrown, out);
	}

	@Override
	public Throwable deserializeException(byte[] source, int offset, int length) {
		return codec().deserializeException(source, offset, length);
	}

}
